import type { ToolSpec } from "../model-provider.ts";
import type { DoneCall } from "./exchange.ts";
import { findTool } from "./offer.ts";
import { call, type Part } from "./parts.ts";

/** How long a sub-agent is waited for. */
const agentTimeoutMs = 60_000;

/** What has to be called next: a sub-agent that was just started is waited for. */
export function nextCall(calls: readonly DoneCall[], tools: readonly ToolSpec[]): Part | undefined {
  const wait = findTool(tools, "wait_agent");
  if (!wait || calls.some(({ name }) => name === "wait_agent")) return undefined;
  const targets = calls.flatMap(({ name, output }) => (name === "spawn_agent" ? agentId(output) : []));
  return targets.length > 0 ? call(wait, { targets, timeout_ms: agentTimeoutMs }) : undefined;
}

/** What came of the calls, one sentence each. */
export function report(calls: readonly DoneCall[]): string {
  return calls.map(sentence).join("\n");
}

function sentence({ name, input, output }: DoneCall): string {
  if (output === undefined) return `\`${name}\` gave nothing back.`;
  const command = name === "exec_command" ? field(input, "cmd") : undefined;
  const subject = command === undefined ? `\`${name}\`` : `The command \`${firstLine(command)}\``;
  const running = /session ID (\d+)/i.exec(output);
  const exit = /exited with code (-?\d+)/i.exec(output);
  const printed = afterOutput(output);
  if (running && !exit)
    return `${subject} is still running as session ${running[1]}${quoted(printed, " and has printed") || "."}`;
  if (exit)
    return `${subject} ended with exit code ${exit[1]}${quoted(printed, " and printed") || " and printed nothing."}`;
  return `${subject} gave back${quoted(output, "") || " nothing."}`;
}

function afterOutput(output: string): string {
  const at = output.indexOf("Output:\n");
  return at < 0 ? "" : output.slice(at + "Output:\n".length);
}

const maxQuote = 400;

/** The end of a sentence: one line as it is, several as a block of code. */
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
