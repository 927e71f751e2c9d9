import type { FunctionCallOutputBody, ResponseItem } from "@quire/protocol";
import { type ToolContext, ToolFailure } from "../approval/tool-context.ts";
import { errorMessage } from "../lib/error-message.ts";
import { message, text } from "../prompt/message.ts";
import { outputItem } from "../record/call-items.ts";
import type { ToolCall } from "../record/tool-call.ts";
import type { ActiveTurn } from "../thread/active-turn.ts";
import type { Add, CallsAnswered } from "../thread/feature.ts";
import { addTo } from "../thread/features.ts";
import type { Thread } from "../thread/thread.ts";
import type { Tool } from "../tools/tool.ts";
import { unsupportedCall } from "../tools/toolbox.ts";
import { admitCalls, callsAtOnce, inPool } from "./call-limits.ts";

/** The outcome of a response's calls. */
export interface RunCalls extends Pick<CallsAnswered, "calls" | "outputs" | "failed"> {
  /** The history's next items: context of features, outputs, remarks. */
  readonly items: readonly ResponseItem[];
}

/** Runs the calls of one response concurrently; outputs come in order. Calls that do not run get one too. */
export async function runCalls(thread: Thread, turn: ActiveTurn, calls: readonly ToolCall[]): Promise<RunCalls> {
  // A server that has lost the thread must not act for it.
  await thread.settled();
  const remarks: string[] = [];
  const contexts: ResponseItem[] = [];
  const context = toolContext(thread, turn, remarks);
  const failed = new Set<string>();
  const fail = ({ callId }: ToolCall) => void failed.add(callId);
  const run = (call: ToolCall) => runExtended({ thread, turn, add: addTo(contexts), fail }, call, context);
  const admitted = admitCalls(turn, calls);
  const outputs = await inPool(admitted, callsAtOnce, async ({ call, refusal }) => refusal ?? run(call));
  const outputItems = calls.map((call, index) => outputItem(call, outputs[index] ?? ""));
  const notes = remarks.map((remark) => message("developer", [text(remark)]));
  return { items: [...contexts, ...outputItems, ...notes], calls: admitted.map(({ call }) => call), outputs, failed };
}

interface Extended {
  readonly thread: Thread;
  readonly turn: ActiveTurn;
  /** Receives the features' context for the model. */
  readonly add: Add;
  /** Notes that a call has failed. */
  readonly fail: (call: ToolCall) => void;
}

/** Runs a call with the features before and after it. Later ones see only calls that worked. */
async function runExtended(
  { thread, turn, add, fail }: Extended,
  given: ToolCall,
  context: ToolContext,
): Promise<FunctionCallOutputBody> {
  const tool = thread.toolbox.find(given);
  // A call of an unknown tool needs no permission.
  if (tool === undefined) {
    fail(given);
    return context.signal.aborted ? "aborted by user" : unsupportedCall(given);
  }
  const { call, refusal } = await thread.features.beforeCall(turn, { call: given, add });
  if (refusal !== undefined) return refusal;
  let worked = true;
  const output = await runCall(thread, { tool, call, context }, () => {
    worked = false;
    fail(given);
  });
  return worked ? thread.features.afterCall(turn, { call, output, add }) : output;
}

async function runCall(
  thread: Thread,
  { tool, call, context }: { readonly tool: Tool; readonly call: ToolCall; readonly context: ToolContext },
  failed: () => void,
): Promise<FunctionCallOutputBody> {
  if (context.signal.aborted) return "aborted by user";
  try {
    return await tool.run(call, context);
  } catch (error) {
    failed();
    if (error instanceof ToolFailure) return error.message;
    if (context.signal.aborted) return "aborted by user";
    thread.core.server.log.error(`tool ${call.name} failed`, error);
    return `${call.name} failed: ${errorMessage(error)}`;
  }
}

/** The part of a thread that calls of a turn may use. */
export function toolContext(thread: Thread, turn: ActiveTurn, remarks: string[] = []): ToolContext {
  const ids = { threadId: thread.id, turnId: turn.id };
  return {
    ...ids,
    settings: { ...thread.settings, ...turn.place },
    signal: turn.signal,
    startItem: (item) => thread.startItem(turn.id, item),
    completeItem: (item) => thread.completeItem(turn.id, item),
    completeLate: (item) => {
      // Nobody waits for it any more, so a failure has no receiver.
      try {
        thread.completeItem(turn.id, item);
      } catch (error) {
        thread.core.server.log.error(`the end of ${item.id} could not be stored`, error);
      }
    },
    notify: (method, params) => thread.notify(method, { ...params, ...ids } as never),
    approvals: thread.approvals,
    paused: () => thread.elicitations.waiting,
    hold: (flag) => thread.hold(flag, turn.signal),
    isOver: () => thread.active !== turn,
    remark: (text) => void remarks.push(text),
    interrupt: (why) => void turn.interrupt(why),
    permit: (asked) => thread.features.permission(turn, asked),
    ask: (method, params) => thread.questions.ask(method, { ...params, ...ids } as never, turn.signal),
  };
}
