import type { FunctionCallOutputBody, ResponseItem } from "@quire/protocol";
import { message, text } from "../prompt/message.ts";
import { type ToolCall, type ToolContext, ToolFailure } from "../tools/tool.ts";
import { unsupportedCall } from "../tools/toolbox.ts";
import type { ActiveTurn } from "./active-turn.ts";
import { admitCalls, callsAtOnce, inPool } from "./call-limits.ts";
import type { Thread } from "./thread.ts";

/**
 * Runs the calls of one response, many at the same time; the model gets the answers in the order of its calls. What is
 * not run is answered too.
 */
export async function runCalls(thread: Thread, turn: ActiveTurn, calls: readonly ToolCall[]): Promise<ResponseItem[]> {
  const remarks: string[] = [];
  const context = toolContext(thread, turn, remarks);
  const admitted = admitCalls(turn, calls);
  const outputs = await inPool(
    admitted,
    callsAtOnce,
    async ({ call, refusal }) => refusal ?? runCall(thread, call, context),
  );
  const told = calls.map((call, index) => outputItem(call, outputs[index] ?? ""));
  return [...told, ...remarks.map((remark) => message("developer", [text(remark)]))];
}

async function runCall(thread: Thread, call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody> {
  if (context.signal.aborted) return "aborted by user";
  const tool = thread.toolbox.find(call);
  if (tool === undefined) return unsupportedCall(call);
  try {
    return await tool.run(call, context);
  } catch (error) {
    if (error instanceof ToolFailure) return error.message;
    if (context.signal.aborted) return "aborted by user";
    thread.core.server.log.error(`tool ${call.name} failed`, error);
    return `${call.name} failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function outputItem(call: ToolCall, output: FunctionCallOutputBody): ResponseItem {
  const type = call.kind === "custom" ? "custom_tool_call_output" : "function_call_output";
  return { type, call_id: call.callId, output };
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
    remark: (text) => void remarks.push(text),
    interrupt: (why) => void turn.interrupt(why),
    ask: (method, params) => thread.questions.ask(method, { ...params, ...ids } as never, turn.signal),
  };
}
