import { stateWords } from "../words/words.ts";
import type { PendingRequest } from "./model.ts";

/** Answered questions that are kept to be read, for each hub. The oldest are dropped first. */
const answeredKept = 100;

/** A request of the server, as it came. */
export interface IncomingRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: unknown;
}

/** The end of a question, as the gateway reports it. */
export interface Resolution {
  /** `you` for this page, `page` for another one; the server itself does not say. */
  readonly answeredBy?: unknown;
  /** The reply of the other page, where it is a decision. */
  readonly answer?: unknown;
}

interface SentAnswer {
  readonly label: string;
  resolve(): void;
  reject(error: Error): void;
}

/** Labels of answers that let nothing happen. */
export const refused: RegExp = /^(Declined|Skipped|Dismissed|Not answered|Refused)/;

/** The questions of one hub. */
export class PendingRequests {
  readonly #hub: string;
  readonly #requests = new Map<string, PendingRequest>();
  /** Resolved by the server without saying why: somebody else answered, or its turn is about to end. */
  readonly #unsure = new Set<string>();
  /** Answers of this page of which it is not known yet whether they counted. */
  readonly #sent = new Map<string, SentAnswer>();
  #list: readonly PendingRequest[] | null = null;

  constructor(hub: string) {
    this.#hub = hub;
  }

  /** Adds a question; one that is replayed after a lost link is the same question. */
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

  /**
   * Records that this page's answer was sent. It counts once the gateway confirms it: another page may have been first.
   *
   * @returns Resolves when it is known what became of the question; rejects when the link is lost before that.
   */
  sent(id: string, label: string): Promise<void> {
    return new Promise((resolve, reject) => this.#sent.set(id, { label, resolve, reject }));
  }

  /** Closes a question: by this page's answer, by that of another page, or by another client. */
  resolved(id: string, { answeredBy, answer }: Resolution): void {
    const sent = this.#sent.get(id);
    this.#sent.delete(id);
    const request = this.#requests.get(id);
    if (request !== undefined && request.answered === null) {
      const mine = answeredBy === "you" && sent !== undefined;
      const label = mine ? sent.label : elsewhere(answeredBy, answer);
      this.#put({ ...request, answered: { label, byMe: mine } });
      if (answeredBy === undefined) this.#unsure.add(id);
    }
    sent?.resolve();
  }

  /** Corrects this page's answers by what happened to their item: another client may have been faster. */
  itemEnded(threadId: string, itemId: string, wasRun: boolean): void {
    for (const request of this.#requests.values()) {
      if (request.threadId !== threadId || request.itemId !== itemId || request.answered?.byMe !== true) continue;
      const allowed = !refused.test(request.answered.label);
      if (allowed === wasRun) continue;
      const label = stateWords.anotherClientBeforeAnswer(wasRun ? "Allowed" : "Declined");
      this.#put({ ...request, answered: { label, byMe: false } });
    }
  }

  /** Settles the questions of a turn that continued: they were answered. */
  turnContinued(threadId: string): void {
    for (const id of this.#unsure) if (this.#requests.get(id)?.threadId === threadId) this.#unsure.delete(id);
  }

  turnEnded(threadId: string, turnId: string, stopped: boolean): void {
    const label = stopped ? stateWords.notAnsweredTurnStopped : stateWords.notAnsweredTurnEnded;
    for (const request of this.#requests.values()) {
      const { id, answered } = request;
      if (request.threadId !== threadId || (request.turnId !== null && request.turnId !== turnId)) continue;
      if (answered === null || (stopped && this.#unsure.has(id))) {
        this.#put({ ...request, answered: { label, byMe: false } });
      }
      this.#unsure.delete(id);
    }
  }

  /** Drops open questions after a lost link: the gateway sends those that remain again. */
  forgetOpen(): void {
    for (const { reject } of this.#sent.values()) reject(new Error(stateWords.linkLostWhetherAnswerCounted));
    this.#sent.clear();
    for (const { id, answered } of [...this.#requests.values()]) if (answered === null) this.#requests.delete(id);
    this.#list = null;
  }

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

/** The decision of another page or client, in words. */
function elsewhere(answeredBy: unknown, answer: unknown): string {
  if (answeredBy !== "page") return stateWords.answeredElsewhereAnotherClient;
  const { result, error } = (answer ?? {}) as { readonly result?: unknown; readonly error?: unknown };
  if (error !== undefined) return stateWords.refusedAnotherWindow;
  const { decision, permissions } = (result ?? {}) as { readonly decision?: unknown; readonly permissions?: object };
  if (permissions !== undefined)
    return Object.keys(permissions ?? {}).length > 0
      ? stateWords.allowedAnotherWindow
      : stateWords.declinedAnotherWindow;
  if (decision === undefined) return stateWords.answeredElsewhereAnotherWindow;
  const word = typeof decision === "object" && decision !== null ? ruleWord(decision) : String(decision);
  return Object.hasOwn(words, word) ? words[word as keyof typeof words] : stateWords.answeredElsewhereAnotherWindow;
}

/** A decision with a rule: its name, and for a host whether that is allowed. */
function ruleWord(decision: object): string {
  const [name = ""] = Object.keys(decision);
  const rule = (decision as { applyNetworkPolicyAmendment?: { network_policy_amendment?: { action?: unknown } } })
    .applyNetworkPolicyAmendment?.network_policy_amendment;
  return rule?.action === "deny" ? "decline" : name;
}

const allowed = stateWords.allowedAnotherWindow;
const allowedForSession = stateWords.allowedSessionAnotherWindow;
const declined = stateWords.declinedAnotherWindow;
const stopped = stateWords.declinedAnotherWindowTurnStopped;
const words = {
  accept: allowed,
  approved: allowed,
  acceptForSession: allowedForSession,
  approved_for_session: allowedForSession,
  acceptWithExecpolicyAmendment: stateWords.allowedAnotherWindowRule,
  approved_execpolicy_amendment: stateWords.allowedAnotherWindowRule,
  applyNetworkPolicyAmendment: stateWords.allowedAnotherWindowRule,
  decline: declined,
  denied: declined,
  cancel: stopped,
  abort: stopped,
} as const;
