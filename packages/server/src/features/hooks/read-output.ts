import type { HookOutputEntry, HookRunStatus } from "@quire/protocol";
import type { Hook } from "../../hooks/hook.ts";
import type { HookEvent } from "../../hooks/hook-events.ts";
import { parseJson } from "../../lib/bounded-json.ts";
import { isTable, type Table } from "../../lib/table.ts";
import type { HookResult } from "./run-hook-command.ts";

/** A hook's verdict. */
export interface Verdict {
  readonly status: HookRunStatus;
  readonly entries: readonly HookOutputEntry[];
  /** For the model. */
  readonly context?: string | undefined;
  readonly refusal?: string | undefined;
  /** The reason to end the turn; `null` for none. */
  readonly stop?: string | null | undefined;
  /** Replaces a tool's output for the model. */
  readonly feedback?: string | undefined;
  readonly input?: unknown;
  /** True when nobody has to be asked. */
  readonly allows?: boolean | undefined;
}

/** Understands what a hook has printed and how it ended. */
export function readOutput({ event, async }: Pick<Hook, "event" | "async">, result: HookResult): Verdict {
  if (result.error !== null) return failed(result.error);
  const { exitCode } = result;
  if (exitCode === 2 && event.refuses && !async) return refusedByExit(event, result.stderr.trim());
  if (exitCode !== 0) return failed(exitMessage(event, result));
  const text = result.stdout.trim();
  if (text === "" || event.output === "ignored") return { status: "completed", entries: [] };
  const output = parse(text, event);
  if (output !== undefined) return async ? commonVerdict(output) : act(event, output);
  const looksLikeJson = text.startsWith("{") || text.startsWith("[");
  if (looksLikeJson || (event.output === "strict" && !async)) {
    return failed(`hook returned invalid ${label(event)} JSON output`);
  }
  return event.output === "context"
    ? { ...contextOf(text), status: "completed" }
    : { status: "completed", entries: [] };
}

interface Output {
  readonly continues: boolean;
  readonly stopReason: string | undefined;
  readonly message: string | undefined;
  readonly quiet: boolean;
  readonly blocks: boolean;
  readonly reason: string | undefined;
  readonly specific: Table;
}

/** The part for turns and single calls alike: messages for the user and the model. */
function commonVerdict({ message, specific }: Output): Verdict {
  const warnings: HookOutputEntry[] = message === undefined ? [] : [{ kind: "warning", text: message }];
  const context = typeof specific.additionalContext === "string" ? specific.additionalContext : undefined;
  if (context === undefined) return { status: "completed", entries: warnings };
  const more = contextOf(context);
  return { ...more, status: "completed", entries: [...warnings, ...more.entries] };
}

function act(event: HookEvent, output: Output): Verdict {
  const said = commonVerdict(output);
  const problem = misuse(event, output);
  const fails = (text: string): Verdict => {
    const warnings = said.entries.filter(({ kind }) => kind === "warning");
    return { status: "failed", entries: [...warnings, { kind: "error", text }] };
  };
  if (problem !== undefined && event.name !== "PostToolUse") return fails(problem);
  if (!output.continues) return stopped(event, output, said);
  if (problem !== undefined) return fails(problem);
  if (event.name === "PreToolUse") return toolVerdict(output, said);
  if (event.name === "PermissionRequest") return permissionVerdict(output, said);
  if (!output.blocks) return said;
  const reason = output.reason?.trim() ?? "";
  if (reason === "") return fails(`${event.name} hook returned decision:block without a non-empty reason`);
  return refused(said, reason);
}

function stopped(event: HookEvent, { stopReason, reason }: Output, said: Verdict): Verdict {
  const always = event.name === "PostToolUse" || event.name.endsWith("Compact");
  const text = stopReason ?? (always ? `${event.name} hook stopped execution` : undefined);
  const entries: HookOutputEntry[] = text === undefined ? [] : [{ kind: "stop", text }];
  const verdict: Verdict = { ...said, status: "stopped", entries: [...said.entries, ...entries] };
  return event.name === "PostToolUse"
    ? { ...verdict, feedback: reason?.trim() || text }
    : { ...verdict, stop: stopReason ?? null };
}

/** Requests that a hook of this event cannot make. */
function misuse(
  event: HookEvent,
  { continues, stopReason, quiet, blocks, reason, specific }: Output,
): string | undefined {
  const unsupported = (what: string) => `${event.name} hook returned unsupported ${what}`;
  const decides = event.name === "PreToolUse" || event.name === "PermissionRequest";
  if (decides && !continues) return unsupported("continue:false");
  if (decides && stopReason !== undefined) return unsupported("stopReason");
  if ((decides || event.name === "PostToolUse") && quiet) return unsupported("suppressOutput");
  if (event.name === "PostToolUse") {
    if (specific.updatedMCPToolOutput !== undefined) return unsupported("updatedMCPToolOutput");
    if (continues && !blocks && reason !== undefined) return "PostToolUse hook returned reason without decision";
  }
  return undefined;
}

function toolVerdict({ blocks, reason, specific }: Output, said: Verdict): Verdict {
  const { permissionDecision: decision, updatedInput: input } = specific;
  const why = typeof specific.permissionDecisionReason === "string" ? specific.permissionDecisionReason : reason;
  const fails = (text: string): Verdict => ({ status: "failed", entries: [{ kind: "error", text }] });
  if (decision === "ask") return fails("PreToolUse hook returned unsupported permissionDecision:ask");
  if (decision === "deny" || (decision === undefined && blocks)) {
    const words = why?.trim() ?? "";
    return words === "" ? fails("PreToolUse hook refused the call without a non-empty reason") : refused(said, words);
  }
  if (input === undefined) return said;
  return decision === "allow"
    ? { ...said, input }
    : fails('PreToolUse hook returned updatedInput without permissionDecision:"allow"');
}

function permissionVerdict({ specific }: Output, said: Verdict): Verdict {
  const decision = isTable(specific.decision) ? specific.decision : {};
  for (const key of ["updatedInput", "updatedPermissions"]) {
    if (decision[key] !== undefined)
      return {
        status: "failed",
        entries: [{ kind: "error", text: `PermissionRequest hook returned unsupported ${key}` }],
      };
  }
  if (decision.behavior === "allow") return { ...said, allows: true };
  if (decision.behavior !== "deny") return said;
  const words = typeof decision.message === "string" ? decision.message.trim() : "";
  return refused(said, words || "PermissionRequest hook denied approval");
}

function refused(said: Verdict, reason: string): Verdict {
  return {
    ...said,
    status: "blocked",
    entries: [...said.entries, { kind: "feedback", text: reason }],
    refusal: reason,
    feedback: reason,
  };
}

function refusedByExit(event: HookEvent, reason: string): Verdict {
  if (reason !== "") return refused({ status: "blocked", entries: [] }, reason);
  return failed(`${event.name} hook exited with code 2 but did not write a reason to stderr`);
}

function failed(text: string): Verdict {
  return { status: "failed", entries: [{ kind: "error", text }] };
}

function exitMessage({ name, output }: HookEvent, { exitCode, stderr }: HookResult): string {
  if (exitCode === null) return "hook exited without a status code";
  const words = output === "ignored" || name.endsWith("Compact") ? stderr.trim() : "";
  return words || `hook exited with code ${exitCode}`;
}

const contextOf = (text: string): Verdict => ({
  status: "completed",
  entries: [{ kind: "context", text }],
  context: text,
});

const common = [
  "continue",
  "stopReason",
  "suppressOutput",
  "systemMessage",
  "decision",
  "reason",
  "hookSpecificOutput",
];

/** A hook's JSON output; `undefined` for anything else. */
function parse(text: string, { name }: HookEvent): Output | undefined {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return undefined;
  }
  if (!isTable(value) || Object.keys(value).some((key) => !common.includes(key))) return undefined;
  const { stopReason, systemMessage, reason, hookSpecificOutput: specific } = value;
  const texts = [stopReason, systemMessage, reason];
  if (texts.some((each) => each !== undefined && each !== null && typeof each !== "string")) return undefined;
  if (isTable(specific) && specific.hookEventName !== undefined && specific.hookEventName !== name) return undefined;
  const string = (each: unknown) => (typeof each === "string" ? each : undefined);
  return {
    continues: value.continue !== false,
    stopReason: string(stopReason),
    message: string(systemMessage),
    quiet: value.suppressOutput === true,
    blocks: value.decision === "block",
    reason: string(reason),
    specific: isTable(specific) ? specific : {},
  };
}

/** The name of an event in messages about output. */
function label({ name }: HookEvent): string {
  if (name.endsWith("ToolUse") || name === "PermissionRequest") return spaced(name).replaceAll(" ", "-");
  if (name.endsWith("Compact")) return `${name} hook`;
  return name.endsWith("Stop") ? `${spaced(name)} hook` : spaced(name);
}

const spaced = (name: string): string => name.replace(/(?<!^)(?=[A-Z])/g, " ").toLowerCase();
