import type { PendingRequest } from "./model.ts";

/** Answered questions that are kept to be read, for each hub. The oldest go first. */
const answeredKept = 100;

/** A request of the server, as it came. */
export interface IncomingRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: unknown;
}

/** The questions of one hub. */
export class PendingRequests {
  readonly #hub: string;
  readonly #requests = new Map<string, PendingRequest>();
  /** Resolved by the server without saying why: somebody else answered, or its turn is about to end. */
  readonly #unsure = new Set<string>();
  #list: readonly PendingRequest[] | null = null;

  constructor(hub: string) {
    this.#hub = hub;
  }

  /** Takes a question; one that is replayed after a lost link is the same question. */
  add({ id, method, params }: IncomingRequest, afterItem: string | null): PendingRequest {
    const given = (params ?? {}) as Record<string, unknown>;
    const text = (name: string): string | null => (typeof given[name] === "string" ? given[name] : null);
    const request: PendingRequest = {
      id: String(id),
      hub: this.#hub,
      threadId: text("threadId") ?? text("conversationId") ?? "",
      turnId: text("turnId"),
      itemId: text("itemId") ?? text("callId"),
      afterItem,
      method,
      params,
      answered: null,
    };
    this.#put(request);
    return request;
  }

  get(id: string): PendingRequest | undefined {
    return this.#requests.get(id);
  }

  /** Marks a question as answered; what was answered first stays. */
  answered(id: string, label: string, byMe: boolean): PendingRequest | null {
    const request = this.#requests.get(id);
    if (request === undefined || request.answered !== null) return null;
    this.#put({ ...request, answered: { label, byMe } });
    return request;
  }

  /** An answer could not be sent: the question is open again. */
  reopen(id: string): void {
    const request = this.#requests.get(id);
    if (request !== undefined) this.#put({ ...request, answered: null });
  }

  /** The question is over, and it was not this page that answered it. */
  resolved(id: string, answeredBy: unknown): void {
    const inWindow = answeredBy === "page";
    const label = inWindow ? "Answered elsewhere, in another window" : "Answered elsewhere, by another client";
    if (this.answered(id, label, false) !== null && !inWindow) this.#unsure.add(id);
  }

  /** A turn went on, so what it asked was answered. */
  turnWentOn(threadId: string): void {
    for (const id of this.#unsure) if (this.#requests.get(id)?.threadId === threadId) this.#unsure.delete(id);
  }

  /** Questions of a turn that ended need no answer any more. */
  turnEnded(threadId: string, turnId: string, stopped: boolean): void {
    const label = stopped ? "Not answered: the turn was stopped" : "Not answered: the turn ended";
    for (const request of this.#requests.values()) {
      const { id, answered } = request;
      if (request.threadId !== threadId || (request.turnId !== null && request.turnId !== turnId)) continue;
      if (answered === null || (stopped && this.#unsure.has(id))) {
        this.#put({ ...request, answered: { label, byMe: false } });
      }
      this.#unsure.delete(id);
    }
  }

  /** The link is lost: whoever still has questions asks them again. */
  forgetOpen(): void {
    for (const { id, answered } of [...this.#requests.values()]) if (answered === null) this.#requests.delete(id);
    this.#list = null;
  }

  /** How many questions of a thread wait. */
  waiting(threadId: string): number {
    return this.list().filter((request) => request.threadId === threadId && request.answered === null).length;
  }

  /** Oldest first; the same object until something changed. */
  list(): readonly PendingRequest[] {
    this.#list ??= [...this.#requests.values()];
    return this.#list;
  }

  #put(request: PendingRequest): void {
    this.#requests.set(request.id, request);
    this.#list = null;
    const done = [...this.#requests.values()].filter(({ answered }) => answered !== null);
    for (const { id } of done.slice(0, -answeredKept)) this.#requests.delete(id);
  }
}
