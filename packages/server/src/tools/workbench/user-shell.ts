import type { CommandExecutionThreadItem } from "@quire/protocol";
import { quoteCommand } from "@quire/protocol/shell";
import type { ToolContext } from "../../approval/tool-context.ts";
import { BoundedOutput } from "../../run/process/bounded-output.ts";
import { commandVariables, environmentPolicy } from "../../run/process/command-variables.ts";
import { OutputDeltas } from "../../run/process/output-deltas.ts";
import { startOwned } from "../../run/process/process-table.ts";
import { findShell, shellCommand } from "../../run/process/shells.ts";
import { WholeCharacters } from "../../run/process/whole-characters.ts";
import { commandActions } from "../../shell/command-actions.ts";
import { type OutputLimit, truncateOutput } from "../truncate-output.ts";
import type { ExecSettings } from "./exec-sessions.ts";

/** A command that a user typed. */
export interface UserCommand {
  readonly command: string;
  readonly timeoutMs: number;
}

/** The parts that a command runs with. */
export interface UserShellParts {
  readonly settings: ExecSettings;
  readonly limit: OutputLimit;
}

/** The exit code of `timeout`. */
const timedOutCode = 124;

/** Runs a user's command, unconfined and unasked. Returns the report for the model once its item is completed. */
export async function runUserShell(parts: UserShellParts, request: UserCommand, context: ToolContext): Promise<string> {
  const { settings, limit } = parts;
  const { cwd } = context.settings;
  const argv = shellCommand(findShell(), request.command, true);
  const item: CommandExecutionThreadItem = {
    type: "commandExecution",
    id: crypto.randomUUID(),
    pluginId: null,
    scriptPath: null,
    command: quoteCommand(argv),
    cwd,
    processId: null,
    source: "userShell",
    status: "inProgress",
    commandActions: commandActions(request.command, cwd),
    aggregatedOutput: null,
    exitCode: null,
    durationMs: null,
    startedAtMs: Date.now(),
  };
  context.startItem(item);
  const startedAt = performance.now();
  const output = new BoundedOutput();
  const exitCode = await run({ argv, cwd, settings, itemId: item.id, output }, request.timeoutMs, context);
  const durationMs = performance.now() - startedAt;
  const status = exitCode === 0 ? "completed" : "failed";
  const aggregatedOutput = output.text();
  const done: CommandExecutionThreadItem = {
    ...item,
    status,
    exitCode,
    aggregatedOutput,
    durationMs: Math.round(durationMs),
  };
  context.completeLate(done);
  const shown = truncateOutput(
    { text: aggregatedOutput, totalBytes: output.total, omittedBytes: output.omitted },
    limit,
  );
  const result = `Exit code: ${exitCode}\nDuration: ${(durationMs / 1000).toFixed(4)} seconds\nOutput:\n${shown}`;
  return `<user_shell_command>\n<command>\n${request.command}\n</command>\n<result>\n${result}\n</result>\n</user_shell_command>`;
}

interface Run {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly settings: ExecSettings;
  readonly itemId: string;
  readonly output: BoundedOutput;
}

/** Runs it to its end. Appends the reason to its output when it was ended. */
async function run(
  { argv, cwd, settings, itemId, output }: Run,
  timeoutMs: number,
  context: ToolContext,
): Promise<number> {
  const { threadId, raw, env, secretVariables } = settings;
  const deltas = new OutputDeltas((delta) => context.notify("item/commandExecution/outputDelta", { itemId, delta }), 0);
  const say = (words: string) => output.push(Buffer.from(`${output.total > 0 ? "\n" : ""}${words}\n`));
  const streams = { stdout: new WholeCharacters(), stderr: new WholeCharacters() };
  const take = (bytes: Uint8Array) => {
    if (bytes.length === 0) return;
    output.push(bytes);
    deltas.push(bytes);
  };
  try {
    const variables = commandVariables(environmentPolicy(raw), env, secretVariables());
    const child = startOwned(threadId, {
      argv,
      cwd,
      env: { ...variables, CODEX_THREAD_ID: threadId, CODEX_SESSION_ID: threadId },
      onOutput: (bytes, from) => take(streams[from].push(bytes)),
    });
    let endedFor: "time" | "user" | undefined;
    const end = (why: "time" | "user") => {
      endedFor ??= why;
      void child.kill();
    };
    const timer = setTimeout(() => end("time"), timeoutMs);
    const onAbort = () => end("user");
    if (context.signal.aborted) onAbort();
    context.signal.addEventListener("abort", onAbort, { once: true });
    const { code } = await child.exited;
    clearTimeout(timer);
    context.signal.removeEventListener("abort", onAbort);
    for (const stream of Object.values(streams)) take(stream.rest());
    deltas.end();
    if (endedFor === "time") say(`command timed out after ${timeoutMs} ms`);
    if (endedFor === "user") say("command aborted by user");
    return endedFor === "time" ? timedOutCode : code;
  } catch (error) {
    say(`cannot start ${argv[0]} in ${cwd}: ${(error as Error).message}`);
    return -1;
  }
}
