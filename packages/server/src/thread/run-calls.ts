import type { FunctionCallOutputBody, ResponseItem } from "@quire/protocol";
import type { HookPoints } from "../hooks/hook-points.ts";
import { message, text } from "../prompt/message.ts";
import { type ToolCall, type ToolContext, ToolFailure } from "../tools/tool.ts";
import { unsupportedCall } from "../tools/toolbox.ts";
import type { ActiveTurn } from "./active-turn.ts";
import { outputItem } from "./call-items.ts";
import { admitCalls, callsAtOnce, inPool } from "./call-limits.ts";
import type { Thread } from "./thread.ts";

/**
 * Runs the calls of one response, many at the same time; the model gets the answers in the order of its calls. What is
 * not run is answered too.
 */
export async function runCalls(thread: Thread, turn: ActiveTurn, calls: readonly ToolCall[]): Promise<ResponseItem[]> {
  const remarks: string[] = [];
  const contexts: ResponseItem[] = [];
  const hooks = thread.hooks && (await thread.hooks);
  const context = toolContext(thread, turn, remarks);
  const run = hooks
    ? (call: ToolCall) => runHooked({ thread, turn, hooks, contexts }, call, context)
    : (call: ToolCall) => runCall(thread, call, context);
  const admitted = admitCalls(turn, calls);
  const outputs = await inPool(admitted, callsAtOnce, async ({ call, refusal }) => refusal ?? run(call));
  const told = calls.map((call, index) => outputItem(call, outputs[index] ?? ""));
  return [...contexts, ...told, ...remarks.map((remark) => message("developer", [text(remark)]))];
}

interface Hooked {
  readonly thread: Thread;
  readonly turn: ActiveTurn;
  readonly hooks: HookPoints;
  /** Gets what hooks want the model to know. */
  readonly contexts: ResponseItem[];
}

/** Runs a call between its hooks. Those after it hear only of calls that worked. */
async function runHooked(
  { thread, turn, hooks, contexts }: Hooked,
  given: ToolCall,
  context: ToolContext,
): Promise<FunctionCallOutputBody> {
  const add = (item: ResponseItem) => void contexts.push(item);
  // What no tool answers is nothing that hooks could prevent.
  const known = thread.toolbox.find(given) !== undefined;
  const { call, refusal } = known ? await hooks.beforeCall(turn, given, add) : { call: given };
  if (refusal !== undefined) return refusal;
  let worked = known;
  const output = await runCall(thread, call, context, () => (worked = false));
  return worked ? hooks.afterCall(turn, { call, output }, add) : output;
}

async function runCall(
  thread: Thread,
  call: ToolCall,
  context: ToolContext,
  failed?: () => void,
): Promise<FunctionCallOutputBody> {
  if (context.signal.aborted) return "aborted by user";
  const tool = thread.toolbox.find(call);
  if (tool === undefined) return unsupportedCall(call);
  try {
    return await tool.run(call, context);
  } catch (error) {
    failed?.();
    if (error instanceof ToolFailure) return error.message;
    if (context.signal.aborted) return "aborted by user";
    thread.core.server.log.error(`tool ${call.name} failed`, error);
    return `${call.name} failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** What calls of a turn may use of its thread. */
export function toolContext(thread: Thread, turn: ActiveTurn, remarks: string[] = []): ToolContext {
  const ids = { threadId: thread.id, turnId: turn.id };
  return {
    ...ids,
    settings: thread.settings,
    signal: turn.signal,
    startItem: (item) => thread.startItem(turn.id, item),
    completeItem: (item) => thread.completeItem(turn.id, item),
    completeLate: (item) => {
      // Nobody waits for it any more, so what goes wrong here has nobody to be told to.
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
    ...(thread.hooks && { permit: async (asked) => (await thread.hooks)?.permission(turn, asked) }),
    ask: (method, params) => thread.questions.ask(method, { ...params, ...ids } as never, turn.signal),
  };
}
