import type { ToolSpec } from "../model-provider.ts";
import type { DoneCall } from "./exchange.ts";
import { findTool } from "./find-tool.ts";
import { call, type Part } from "./parts.ts";

const agentTimeoutMs = 60_000;

/** The next call: waits for a sub-agent that was just started. */
export function nextCall(calls: readonly DoneCall[], tools: readonly ToolSpec[]): Part | undefined {
  const wait = findTool(tools, "wait_agent");
  if (!wait || calls.some(({ name }) => name === "wait_agent")) return undefined;
  const targets = calls.flatMap(({ name, output }) => (name === "spawn_agent" ? agentId(output) : []));
  return targets.length > 0 ? call(wait, { targets, timeout_ms: agentTimeoutMs }) : undefined;
}

/** The results of the calls, one sentence each. */
export function report(calls: readonly DoneCall[]): string {
  return calls.map(sentence).join("\n");
}

function sentence({ name, input, output }: DoneCall): string {
  if (output === undefined) return `\`${name}\` gave nothing back.`;
  if (name === "update_plan" && output === "Plan updated") return "The plan is written down; its first step is next.";
  const command = name === "exec_command" ? field(input, "cmd") : undefined;
  const subject = command === undefined ? `\`${name}\`` : `The command \`${firstLine(command)}\``;
  const { head, printed } = result(output);
  const running = /session ID (\d+)/i.exec(head)?.[1];
  const exit = /(?:exited with code|Exit code:) (-?\d+)/i.exec(head)?.[1];
  if (exit !== undefined)
    return `${subject} ended with exit code ${exit}${quoted(printed, " and printed") || " and printed nothing."}`;
  if (running !== undefined)
    return `${subject} is still running as session ${running}${quoted(printed, " and has printed") || "."}`;
  return `${subject} gave back${quoted(output, "") || " nothing."}`;
}

const outputMark = "Output:\n";

/** The lines about a command and its output. The result of a patch sent as a command is inside the command's. */
function result(output: string): { head: string; printed: string } {
  const at = output.indexOf(outputMark);
  if (at < 0) return { head: output, printed: "" };
  const head = output.slice(0, at);
  const printed = output.slice(at + outputMark.length);
  const isPatch = !/ code |session ID/i.test(head) && printed.startsWith("Exit code: ");
  return isPatch ? result(printed) : { head, printed };
}

const maxQuote = 400;

/** The end of a sentence: one line as it is, several as a code block. */
function quoted(text: string, verb: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "";
  const short = trimmed.length > maxQuote ? `${trimmed.slice(0, maxQuote)}…` : trimmed;
  if (!short.includes("\n")) return `${verb}: ${short}.`;
  const ticks = [...short.matchAll(/`{3,}/g)].reduce((longest, [run]) => Math.max(longest, run.length + 1), 3);
  const fence = "`".repeat(ticks);
  return `${verb}:\n\n${fence}\n${short}\n${fence}`;
}

function firstLine(text: string): string {
  const [first = "", ...rest] = text.split("\n");
  return rest.length > 0 ? `${first} …` : first;
}

function agentId(output: string | undefined): string[] {
  const id = output === undefined ? undefined : field(output, "agent_id");
  return id === undefined ? [] : [id];
}

function field(json: string, key: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
    return typeof found === "string" ? found : undefined;
  } catch {
    return undefined;
  }
}
