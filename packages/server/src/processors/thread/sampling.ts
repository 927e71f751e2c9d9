import type { RequestId } from "@quire/jsonrpc";
import type { ThreadSampleParams, ThreadSampleResponse } from "@quire/protocol";
import type { Client } from "../../context/client.ts";
import type { Handlers, RequestScope } from "../../context/processor.ts";
import { service } from "../../context/services.ts";
import { coreOf } from "../../features/open-core.ts";
import { afterReply } from "../../lib/after-reply.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { internalError, invalidRequest } from "../../lib/rpc-errors.ts";
import { message, text } from "../../prompt/message.ts";
import type { Thread } from "../../thread/thread.ts";
import { modelInput } from "../../turn/model-input.ts";
import { offeredTools } from "../../turn/offered-tools.ts";
import { predictMessage } from "../../turn/predict-message.ts";
import { providerOf } from "../../turn/provider-of.ts";
import { SummarySink } from "../../turn/summary-sink.ts";
import { noRollout } from "./thread-errors.ts";

/** Asks the model outside of a thread's turns, and reads its memory. */
export const handlers: Handlers = {
  "thread/sample": sample,

  "thread/sample/cancel": ({ requestId }, { connection }) => {
    connection.services.get(samples).get(requestId)?.abort();
    return {};
  },

  "thread/prediction/request": ({ threadId, sourceTurnId }, { server }) => {
    const thread = coreOf(server).threads.require(threadId);
    const last = thread.record.turns.at(-1);
    if (last?.id !== sourceTurnId || last.status === "inProgress")
      throw invalidRequest("prediction source turn must be the latest finished turn");
    afterReply(() => void predictMessage(thread, sourceTurnId));
    return {};
  },

  "thread/memory/read": ({ threadId }, { server }) => {
    coreOf(server).threads.require(threadId);
    return { summary: null };
  },
};

const samples = service((_: Client) => new Map<RequestId, AbortController>());

async function sample(params: ThreadSampleParams, scope: RequestScope): Promise<ThreadSampleResponse> {
  const thread = coreOf(scope.server).threads.require(params.threadId);
  if (!thread.stored && !thread.ephemeral) throw noRollout(params.threadId);
  const last = thread.record.turns.at(-1);
  if (last?.id !== params.expectedTurnId || (last.status === "inProgress" && params.allowInProgressTurn !== true))
    throw invalidRequest("sample source turn must be the latest finished turn");
  const cancel = new AbortController();
  const own = scope.connection.services.get(samples);
  own.set(scope.id, cancel);
  try {
    return await ask(thread, params, AbortSignal.any([cancel.signal, scope.signal]));
  } catch (error) {
    throw internalError(cancel.signal.aborted ? "sample canceled" : errorMessage(error));
  } finally {
    own.delete(scope.id);
  }
}

/** Told to a model that is asked in the middle of a turn: what it has begun is not undone. */
const snapshot =
  '<thread_snapshot>\nThis is a copy of a thread whose turn runs on elsewhere. Calls that had no result yet show as "aborted" here; they were not stopped.\n</thread_snapshot>';

/** An answer to the thread's history and the prompt. Keeps neither, and runs no calls. */
async function ask(thread: Thread, params: ThreadSampleParams, signal: AbortSignal): Promise<ThreadSampleResponse> {
  const { settings } = thread;
  const note = thread.active ? [message("developer", [text(snapshot)])] : [];
  const sink = new SummarySink();
  const result = await providerOf(thread).stream(
    {
      model: settings.model,
      input: [...modelInput(thread), ...note, message("user", [text(params.prompt)])],
      tools: params.disableMcp ? [] : offeredTools(thread),
      effort: params.effort ?? settings.effort,
      summary: settings.summary,
      verbosity: thread.config.verbosity,
      outputSchema: null,
      serviceTier: settings.serviceTier,
      threadId: thread.id,
      turnId: params.expectedTurnId,
      cwd: settings.cwd,
      metadata: params.responsesapiClientMetadata ?? {},
    },
    sink,
    signal,
  );
  return {
    sourceTurnId: params.expectedTurnId,
    responseId: result.responseId,
    text: sink.text === "" ? null : sink.text,
    inputTokens: result.usage?.inputTokens ?? null,
    cachedInputTokens: result.usage?.cachedInputTokens ?? null,
    outputTokens: result.usage?.outputTokens ?? null,
  };
}
