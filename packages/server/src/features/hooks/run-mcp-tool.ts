import type { HookTool } from "../../hooks/hook.ts";
import { isTable } from "../../lib/table.ts";
import { timerDelay } from "../../lib/timer-delay.ts";
import { describe } from "../../mcp/mcp-tool.ts";
import type { Thread } from "../../thread/thread.ts";
import { mcpOf } from "../mcp/index.ts";
import type { HookResult } from "./run-hook-command.ts";

/** A hook's call of a tool. */
export interface HookCall {
  readonly tool: HookTool;
  /** The JSON that a hook command would get on its standard input. */
  readonly input: string;
  readonly timeoutSec: number;
  readonly signal?: AbortSignal | undefined;
}

class Unanswered extends Error {}

/** Calls a tool of the thread's MCP servers as a hook: its text replaces a command's output. Never rejects. */
export async function runHookTool(thread: Thread, { tool, input, timeoutSec, signal }: HookCall): Promise<HookResult> {
  const late = AbortSignal.timeout(timerDelay(timeoutSec));
  const stop = signal ? AbortSignal.any([signal, late]) : late;
  try {
    const args = filled(tool.input, JSON.parse(input));
    const answer = await stoppable(call(thread, tool, { args, signal: stop }), stop);
    const { content, isError } = answer;
    const text = (Array.isArray(content) ? content : []).flatMap(textOf).join("\n");
    return isError === true
      ? failed(text || "the tool failed")
      : { exitCode: 0, stdout: text, stderr: "", error: null };
  } catch (error) {
    if (signal?.aborted) return failed("the turn was interrupted");
    return failed(late.aborted ? `hook timed out after ${timeoutSec}s` : describe(error));
  }
}

async function call(
  thread: Thread,
  { server, tool }: HookTool,
  { args, signal }: { args: unknown; signal: AbortSignal },
) {
  const running = await (await mcpOf(thread).servers()).require(server, signal);
  return running.request("tools/call", { name: tool, arguments: args, _meta: { threadId: thread.id } }, { signal });
}

/** A server that never answers does not hold up the turn. */
function stoppable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new Unanswered("stopped"));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", stop));
}

const placeholder = /\$\{([^}]+)\}/g;

/** Fills `${…}` in with values of the input. A string that is only a placeholder becomes the value itself. */
function filled(template: unknown, input: unknown): unknown {
  if (Array.isArray(template)) return template.map((each) => filled(each, input));
  if (isTable(template))
    return Object.fromEntries(Object.entries(template).map(([key, each]) => [key, filled(each, input)]));
  if (typeof template !== "string") return template;
  const whole = /^\$\{([^}]+)\}$/.exec(template)?.[1];
  if (whole !== undefined) return valueAt(input, whole);
  return template.replace(placeholder, (_, path: string) => {
    const value = valueAt(input, path);
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

function valueAt(input: unknown, path: string): unknown {
  let value: unknown = input;
  for (const key of path.split(".")) value = isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  if (value === undefined) throw new Unanswered(`hook input placeholder \`\${${path}}\` was not found`);
  return value;
}

const textOf = (part: unknown): string[] => (isTable(part) && typeof part.text === "string" ? [part.text] : []);

const failed = (error: string): HookResult => ({ exitCode: null, stdout: "", stderr: "", error });
