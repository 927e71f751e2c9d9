import { ErrorCode, type NotificationMessage, type RequestContext, type RequestId, RpcError } from "@quire/jsonrpc";
import { failureMessage } from "../lib/failure-message.ts";
import type { ClientWarning } from "../port/client-warning.ts";
import type { QuestionHandlers } from "../questions/handlers.ts";
import type { ThreadRegistry } from "../thread/thread-registry.ts";

/** The members that tell what a question is about; older methods name the thread otherwise. */
interface QuestionParams {
  readonly threadId?: string;
  readonly conversationId?: string;
  readonly turnId?: string | null;
}

interface OpenQuestion {
  readonly threadId: string | undefined;
  readonly turnId: string | undefined;
  readonly withdrawn: AbortController;
}

/**
 * Answers the server's questions. A question is withdrawn, its signal aborted, when the server says that it
 * is resolved, its turn ends, or the connection does.
 */
export class QuestionDesk {
  readonly #registry: ThreadRegistry;
  readonly #handlers: QuestionHandlers;
  readonly #warn: (warning: ClientWarning) => void;
  readonly #open = new Map<RequestId, OpenQuestion>();

  constructor(registry: ThreadRegistry, handlers: QuestionHandlers, warn: (warning: ClientWarning) => void) {
    this.#registry = registry;
    this.#handlers = handlers;
    this.#warn = warn;
  }

  /** Answers one request of the server. */
  async answer(method: string, params: unknown, context: RequestContext): Promise<unknown> {
    const { threadId, conversationId, turnId } = (params ?? {}) as QuestionParams;
    const state = this.#registry.find(threadId ?? conversationId ?? "");
    const withdrawn = new AbortController();
    const abort = () => withdrawn.abort(context.signal.reason);
    context.signal.addEventListener("abort", abort, { once: true });
    const question: OpenQuestion = { threadId, turnId: turnId ?? undefined, withdrawn };
    this.#open.set(context.id, question);
    if (state) state.asked++;
    try {
      const { answerServerRequest } = await import("../questions/answer-server-request.ts");
      return await answerServerRequest({ method, params }, this.#handlers, {
        signal: withdrawn.signal,
        tools: state?.tools ?? [],
        changesOf: (_threadId, itemId) => state?.fileChanges.get(itemId),
        commandOf: (itemId) => state?.commands.get(itemId),
        warn: (warning) => this.#warn(warning),
      });
    } catch (error) {
      throw this.#failure(error, method);
    } finally {
      if (state) state.asked--;
      // After a reconnect the same id may be another question's.
      if (this.#open.get(context.id) === question) this.#open.delete(context.id);
      context.signal.removeEventListener("abort", abort);
    }
  }

  /** The server's error for a handler that failed; the warning says more. */
  #failure(error: unknown, method: string): RpcError {
    if (RpcError.is(error)) return error;
    const reason = failureMessage(error);
    this.#warn({ code: "handler-failed", message: `${method} could not be answered: ${reason}`, details: error });
    return new RpcError({ code: ErrorCode.internalError, message: `Internal error: ${reason}` }, { cause: error });
  }

  /** Looks whether a notification makes an answer unneeded. */
  notified({ method, params }: NotificationMessage): void {
    if (this.#open.size === 0) return;
    const ended = (params ?? {}) as { requestId?: RequestId; threadId?: string; turn?: { id?: string } };
    const { requestId } = ended;
    if (method === "serverRequest/resolved") {
      if (requestId !== undefined) this.#open.get(requestId)?.withdrawn.abort(new WithdrawnError());
      return;
    }
    for (const { threadId, turnId, withdrawn } of this.#open.values()) {
      // Both, for ids of turns are unique only within their thread: Codex 0.98 counts from 0 in each.
      const isOver = turnId !== undefined && turnId === ended.turn?.id && threadId === ended.threadId;
      if (isOver) withdrawn.abort(new WithdrawnError());
    }
  }
}

/** Why the signal of a question, or of a tool call, was aborted: nobody waits for the answer any more. */
export class WithdrawnError extends Error {
  override readonly name: string = "WithdrawnError";

  constructor() {
    super("The server has withdrawn the question");
  }
}
