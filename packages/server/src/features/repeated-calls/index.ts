import type { FunctionCallOutputBody } from "@quire/protocol";
import { catalogueEntry } from "../../config/catalogue.ts";
import { service } from "../../context/services.ts";
import { message, text } from "../../prompt/message.ts";
import type { ToolCall } from "../../record/tool-call.ts";
import type { ActiveTurn } from "../../thread/active-turn.ts";
import type { CallsAnswered, Feature } from "../../thread/feature.ts";
import type { Thread } from "../../thread/thread.ts";

/** Failures of the same call in a row before the model gets a remark, and before the turn ends. */
const remarkAfter = 3;
const endAfter = 6;

/** The call that the model has repeated though it fails. */
interface Failing {
  readonly turnId: string;
  readonly key: string;
  readonly times: number;
}

const latest = service((_: Thread): { failing?: Failing | undefined } => ({}));

/**
 * Ends the loop of a model that repeats a failing call, which small ones do without end: a remark first, then an error.
 * Models of the catalogue are left to themselves, as in Codex.
 */
export const repeatedCalls: Feature<Thread> = {
  afterCalls: (thread, turn, answered) => {
    if (!catalogueEntry(thread.settings.model)) watch(thread, turn, answered);
  },
};

function watch(thread: Thread, { id: turnId }: ActiveTurn, { calls, outputs, failed, add }: CallsAnswered): void {
  const seen = thread.services.get(latest);
  for (const [index, call] of calls.entries()) {
    const output = outputs[index] ?? "";
    const hasFailed = failed.has(call.callId) || isFailedCommand(output);
    const key = JSON.stringify([call.namespace, call.name, call.arguments]);
    const before = seen.failing?.turnId === turnId && seen.failing.key === key ? seen.failing.times : 0;
    seen.failing = hasFailed ? { turnId, key, times: before + 1 } : undefined;
    if (before + 1 < remarkAfter || !hasFailed) continue;
    if (before + 1 >= endAfter) throw new Error(endOf(call, output));
    add([message("developer", [text(remarkOn(call, before + 1))])]);
  }
}

const remarkOn = ({ name }: ToolCall, times: number) =>
  `The same call of ${name} has failed ${times} times. Do not repeat it: read its output, and change the arguments or the approach, or tell the user what stops you.`;

function isFailedCommand(output: FunctionCallOutputBody): boolean {
  return typeof output === "string" && /^Process exited with code [1-9]/m.test(output.slice(0, 500));
}

function endOf({ name, arguments: args }: ToolCall, output: FunctionCallOutputBody): string {
  const shown = args.length > 200 ? `${args.slice(0, 200)}…` : args;
  const said = typeof output === "string" ? output.trim().slice(-300) : "";
  return `The model has repeated the same failing call ${endAfter} times and was stopped: ${name} ${shown}\nIts last output: ${said}\nTell it what to do instead, or choose a more capable model.`;
}
