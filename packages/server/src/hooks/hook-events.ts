import type { HookEventName, HookScope } from "@quire/protocol";

/** A point at which hooks run, and what a hook can do there. */
export interface HookEvent {
  /** As files of hooks and the input of a hook name it. */
  readonly name: string;
  /** As the protocol names it. */
  readonly wire: HookEventName;
  readonly scope: HookScope;
  /** Whether a matcher can choose among occurrences; elsewhere one is ignored. */
  readonly matched: boolean;
  /**
   * What becomes of what a hook prints: nothing at all, JSON that is acted on (other text is ignored), JSON or else plain
   * text for the model, or JSON and nothing else.
   */
  readonly output: "ignored" | "json" | "context" | "strict";
  /** Whether exit code 2 refuses, with what was printed to stderr as the reason. */
  readonly refuses: boolean;
  /** Whether the model can be told something more. */
  readonly adds: boolean;
  /** Seconds that a hook may take at most, where that is less than the user's say. */
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

/** All of them, in the order in which they are listed. */
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
