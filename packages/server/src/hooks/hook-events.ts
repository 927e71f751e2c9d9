import type { HookEventName, HookScope } from "@quire/protocol";

/** A point at which hooks run, and what a hook can do there. */
export interface HookEvent {
  /** The name in hook files and hook input. */
  readonly name: string;
  /** The name in the protocol. */
  readonly wire: HookEventName;
  readonly scope: HookScope;
  /** True when a matcher can choose among occurrences; elsewhere it is ignored. */
  readonly matched: boolean;
  /** The use of stdout: none, as JSON, as JSON or else text for the model, or as JSON only. */
  readonly output: "ignored" | "json" | "context" | "strict";
  /** True when exit code 2 refuses, with stderr as the reason. */
  readonly refuses: boolean;
  /** True when it can add context for the model. */
  readonly adds: boolean;
  /** Maximum seconds, if below the user's setting. */
  readonly maxTimeoutSec?: number;
}

const row = (name: string, traits: Partial<HookEvent> = {}): HookEvent => ({
  name,
  wire: `${name[0]?.toLowerCase()}${name.slice(1)}` as HookEventName,
  scope: "turn",
  matched: false,
  output: "json",
  refuses: false,
  adds: false,
  ...traits,
});

const soon = 3;

const rows = [
  row("PreModelRequest", { output: "ignored" }),
  row("PostModelRequest", { output: "ignored" }),
  row("PreToolUse", { matched: true, refuses: true, adds: true }),
  row("PermissionRequest", { matched: true, refuses: true }),
  row("PostToolUse", { matched: true, refuses: true, adds: true }),
  row("PreCompact", { matched: true }),
  row("PostCompact", { matched: true }),
  row("SessionStart", { scope: "thread", matched: true, output: "context", adds: true }),
  row("SessionEnd", { scope: "thread", matched: true, output: "ignored", maxTimeoutSec: soon }),
  row("UserPromptSubmit", { output: "context", refuses: true, adds: true }),
  row("SubagentStart", { scope: "thread", matched: true, output: "context", adds: true }),
  row("SubagentStop", { matched: true, output: "strict", refuses: true }),
  row("Stop", { output: "strict", refuses: true }),
  row("Interrupt", { output: "ignored", maxTimeoutSec: soon }),
] as const;

/** All events, in the order of lists. */
export const hookEvents: readonly HookEvent[] = rows;

/** The event of that name. */
export function hookEvent(name: string): HookEvent {
  const event = rows.find((each) => each.name === name);
  if (event === undefined) throw new Error(`no hook event is named ${name}`);
  return event;
}

/** `pre_tool_use`, for keys. */
export const snakeName = ({ name }: HookEvent): string => words(name).join("_");

/** `pre-tool-use`, for ids of runs. */
export const kebabName = ({ name }: HookEvent): string => words(name).join("-");

const words = (name: string): string[] => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
