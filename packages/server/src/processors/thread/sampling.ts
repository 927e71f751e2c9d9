import type { RequestId } from "@quire/jsonrpc";
import type { ThreadSampleParams, ThreadSampleResponse } from "@quire/protocol";
import type { ClientConnection } from "../../connection.ts";
import type { Handlers, RequestScope } from "../../processor.ts";
import { message, text } from "../../prompt/message.ts";
import { internalError, invalidRequest } from "../../rpc-errors.ts";
import { coreOf } from "../../thread/core.ts";
import { modelInput } from "../../thread/model-input.ts";
import { predict } from "../../thread/predict.ts";
import { providerOf } from "../../thread/provider-of.ts";
import { SummarySink } from "../../thread/summary-sink.ts";
import type { Thread } from "../../thread/thread.ts";
import { afterReply, noRollout } from "./common.ts";

/** Asking the model beside a thread, and what is remembered of one. */
export const handlers: Handlers = {
  "thread/sample": sample,

  "thread/sample/cancel": ({ requestId }, { connection }) => {
    running.get(connection)?.get(requestId)?.abort();
    return {};
  },

  "thread/prediction/request": ({ threadId, sourceTurnId }, { server }) => {
    const thread = coreOf(server).threads.require(threadId);
    const last = thread.record.turns.at(-1);
    if (last?.id !== sourceTurnId || last.status === "inProgress")
      throw invalidRequest("prediction source turn must be the latest finished turn");
    afterReply(() => void predict(thread, sourceTurnId));
    return {};
  },

  "thread/memory/read": ({ threadId }, { server }) => {
    coreOf(server).threads.require(threadId);
    return { summary: null };
  },
};

const running = new WeakMap<ClientConnection, Map<RequestId, AbortController>>();

async function sample(params: ThreadSampleParams, scope: RequestScope): Promise<ThreadSampleResponse> {
  const thread = coreOf(scope.server).threads.require(params.threadId);
  if (!thread.stored && !thread.ephemeral) throw noRollout(params.threadId);
  const last = thread.record.turns.at(-1);
  if (last?.id !== params.expectedTurnId || last.status === "inProgress")
    throw invalidRequest("sample source turn must be the latest finished turn");
  const cancel = new AbortController();
  const own = running.get(scope.connection) ?? new Map<RequestId, AbortController>();
  running.set(scope.connection, own);
  own.set(scope.id, cancel);
  try {
    return await ask(thread, params, AbortSignal.any([cancel.signal, scope.signal]));
  } catch (error) {
    throw internalError(
      cancel.signal.aborted ? "sample canceled" : error instanceof Error ? error.message : String(error),
    );
  } finally {
    own.delete(scope.id);
  }
}

/** One answer to the thread's history and the prompt. Neither is kept, and what the model calls is not run. */
async function ask(thread: Thread, params: ThreadSampleParams, signal: AbortSignal): Promise<ThreadSampleResponse> {
  const { settings } = thread;
  const sink = new SummarySink();
  const result = await providerOf(thread).stream(
    {
      model: settings.model,
      input: [...modelInput(thread), message("user", [text(params.prompt)])],
      tools: params.disableMcp ? [] : thread.toolbox.specs(settings),
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
