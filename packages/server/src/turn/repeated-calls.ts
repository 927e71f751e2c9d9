import type { FunctionCallOutputBody } from "@quire/protocol";
import { catalogueEntry } from "../config/catalogue.ts";
import type { ToolCall } from "../record/tool-call.ts";
import type { ActiveTurn } from "../thread/active-turn.ts";
import type { Thread } from "../thread/thread.ts";

/** Failures of the same call in a row after which the model is told, and after which the turn ends. */
const toldAfter = 3;
const endedAfter = 6;

/** Calls of one response and their outputs. */
interface Answered {
  readonly calls: readonly ToolCall[];
  readonly outputs: readonly (FunctionCallOutputBody | undefined)[];
  /** Ids of the calls whose tool failed or did not exist. */
  readonly failed: ReadonlySet<string>;
}

/**
 * Watches for a model that repeats a failing call, which small ones do without end. Returns a remark for the model, if it
 * is time for one. Throws when the model does not heed it. Models of the catalogue are left to themselves, as in Codex.
 */
export function watchRepeats(thread: Thread, turn: ActiveTurn, answered: Answered): string | undefined {
  if (catalogueEntry(thread.settings.model)) return undefined;
  let remark: string | undefined;
  for (const [index, call] of answered.calls.entries()) {
    const output = answered.outputs[index] ?? "";
    const hasFailed = answered.failed.has(call.callId) || isFailedCommand(output);
    const key = JSON.stringify([call.namespace, call.name, call.arguments]);
    const before = turn.failing?.key === key ? turn.failing.times : 0;
    turn.failing = hasFailed ? { key, times: before + 1 } : undefined;
    if (!turn.failing || turn.failing.times < toldAfter) continue;
    if (turn.failing.times >= endedAfter) throw new Error(endOf(call, output));
    remark = `The same call of ${call.name} has failed ${turn.failing.times} times. Do not repeat it: read its output, and change the arguments or the approach, or tell the user what stops you.`;
  }
  return remark;
}

function isFailedCommand(output: FunctionCallOutputBody): boolean {
  return typeof output === "string" && /^Process exited with code [1-9]/m.test(output.slice(0, 500));
}

function endOf({ name, arguments: args }: ToolCall, output: FunctionCallOutputBody): string {
  const shown = args.length > 200 ? `${args.slice(0, 200)}…` : args;
  const said = typeof output === "string" ? output.trim().slice(-300) : "";
  return `The model has repeated the same failing call ${endedAfter} times and was stopped: ${name} ${shown}\nIts last output: ${said}\nTell it what to do instead, or choose a more capable model.`;
}
