import { ErrorCode, type NotificationMessage, type RequestContext, type RequestId, RpcError } from "@quire/jsonrpc";
import type { PagePort } from "./hub-options.ts";
import type { OpenQuestion } from "./open-question.ts";

/** The members that tell what a question is about; older methods name the thread otherwise. */
interface About {
  readonly threadId?: unknown;
  readonly conversationId?: unknown;
  readonly turnId?: unknown;
}

/** A request of the server that waits for a person. */
interface Question {
  /** The id under which every page knows it. */
  readonly id: string;
  readonly serverId: RequestId;
  readonly method: string;
  readonly params: unknown;
  resolve(result: unknown): void;
  reject(error: RpcError): void;
}

/** Params of a server's `serverRequest/resolved`. */
interface ServerResolved {
  readonly requestId?: RequestId;
  answeredBy?: unknown;
  answer?: unknown;
}

/** A reply of a page. */
export interface QuestionReply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown } | null;
}

/** Sends a notification to a page, or to all but one. */
export interface QuestionHost {
  send(page: PagePort, message: NotificationMessage): void;
  broadcast(message: NotificationMessage, except?: PagePort): void;
}

/**
 * Methods whose replies are decisions. Other replies may hold text that somebody typed, which other pages must not see.
 */
const decided: ReadonlySet<string> = new Set([
  "item/commandExecution/requestApproval",
  "item/fileChange/requestApproval",
  "item/permissions/requestApproval",
  "execCommandApproval",
  "applyPatchApproval",
]);

/**
 * The server's questions: shown to every page under one id, answered once, withdrawn everywhere.
 *
 * Pages hear `serverRequest/resolved` exactly once for each: from here when a page has answered or the question has lost
 * its point, else from the server, with the id that the pages know. The page whose answer counted hears
 * `answeredBy: "you"`; the others `"page"`, with the decision.
 */
export class Questions {
  readonly #byId = new Map<string, Question>();
  readonly #byServerId = new Map<RequestId, Question>();
  readonly #host: QuestionHost;
  /** Ids of one gateway are never those of another, or a page left over would answer what it was not asked. */
  readonly #prefix = crypto.randomUUID().slice(0, 8);
  #count = 0;

  constructor(host: QuestionHost) {
    this.#host = host;
  }

  /** All that wait, oldest first. */
  get open(): OpenQuestion[] {
    return [...this.#byId.values()].map(({ id, method, params }) => ({ id, method, params }));
  }

  /** True while a question of the thread waits for an answer. */
  has(threadId: string): boolean {
    return [...this.#byId.values()].some((question) => threadOf(question.params) === threadId);
  }

  /** Opens a question for a request of the server. `opened` gets the message for pages; the promise is the reply. */
  ask(params: unknown, { id, method }: RequestContext, opened: (question: OpenQuestion) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const question: Question = {
        id: `${this.#prefix}-${this.#count++}`,
        serverId: id,
        method,
        params,
        resolve,
        reject,
      };
      this.#byId.set(question.id, question);
      this.#byServerId.set(id, question);
      opened({ id: question.id, method, params });
    });
  }

  /** Answers a question. The first reply counts; a later one is dropped, as its page knows that the question is over. */
  answer(page: PagePort, id: RequestId | null | undefined, { result, error }: QuestionReply): void {
    const question = typeof id === "string" ? this.#byId.get(id) : undefined;
    if (!question) return;
    const answer = error ? { error: { message: error.message } } : { result };
    this.#end(question, { answeredBy: "page", ...(decided.has(question.method) && { answer }) }, page);
    this.#host.send(page, resolved(question, { answeredBy: "you" }));
    if (error) question.reject(new RpcError(error));
    else question.resolve(result);
  }

  /**
   * Approves or declines a command from a notice, where no page is open. False for a question that is over, and for one
   * that needs more than a yes or no.
   */
  decide(id: string, approve: boolean): boolean {
    const question = this.#byId.get(id);
    if (question?.method !== "item/commandExecution/requestApproval") return false;
    const result = { decision: approve ? "accept" : "decline" };
    this.#end(question, { answeredBy: "page", answer: { result } });
    question.resolve(result);
    return true;
  }

  /** The server's notification that a question is over, as pages get it; `undefined` where they know already. */
  resolvedByServer(message: NotificationMessage): NotificationMessage | undefined {
    const { requestId, ...more } = (message.params ?? {}) as ServerResolved;
    const question = requestId === undefined ? undefined : this.#byServerId.get(requestId);
    if (!question) return undefined;
    this.#forget(question);
    question.reject(withdrawn());
    // Only the gateway says whose answer counted: a server could put words into a person's mouth.
    delete more.answeredBy;
    delete more.answer;
    return { ...message, params: { ...more, requestId: question.id } };
  }

  /** Withdraws the questions of a turn that ended, also on servers that do not say so. */
  turnEnded(threadId: string, turnId: string): void {
    for (const question of [...this.#byId.values()]) {
      const about = question.params as About | null;
      if (about?.turnId === turnId && threadOf(about) === threadId) this.#withdraw(question);
    }
  }

  /** Withdraws all questions: the connection is lost. */
  withdrawAll(): void {
    for (const question of [...this.#byId.values()]) this.#withdraw(question);
  }

  #withdraw(question: Question): void {
    this.#end(question, {});
    question.reject(withdrawn());
  }

  /** @param how Tells an answer in another window from a question that has lost its point. */
  #end(question: Question, how: object, except?: PagePort): void {
    this.#forget(question);
    this.#host.broadcast(resolved(question, how), except);
  }

  #forget({ id, serverId }: Question): void {
    this.#byId.delete(id);
    this.#byServerId.delete(serverId);
  }
}

function resolved({ id, params }: Question, how: object): NotificationMessage {
  return { method: "serverRequest/resolved", params: { threadId: threadOf(params), requestId: id, ...how } };
}

function threadOf(params: unknown): string {
  const { threadId, conversationId } = (params ?? {}) as About;
  return String(threadId ?? conversationId ?? "");
}

function withdrawn(): RpcError {
  return new RpcError({ code: ErrorCode.invalidRequest, message: "The question was withdrawn" });
}
