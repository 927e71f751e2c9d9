import type { RequestId } from "@quire/jsonrpc";
import type { ServerNotifications, ServerRequests } from "@quire/protocol";
import type { Client } from "../context/client.ts";

type Method = keyof ServerRequests;

interface Audience {
  readonly id: string;
  readonly subscribers: Iterable<Client>;
  notify<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void;
  /** A promise while something is not stored yet of which the question tells. */
  settled?(): Promise<void> | undefined;
}

/**
 * Pending questions of one thread. Each goes to all subscribers, later ones included; the first answer wins and
 * withdraws it from the others. Without subscribers it waits for one. What only a person may answer goes to those alone
 * that have one; with others alone it fails.
 */
export class QuestionDesk {
  readonly #thread: Audience;
  readonly #open = new Set<Question>();

  constructor(thread: Audience) {
    this.#thread = thread;
  }

  /** Rejects with the signal's reason when it aborts, and with the client's error when there is no other answer. */
  ask<M extends Method>(
    method: M,
    params: ServerRequests[M]["params"],
    signal: AbortSignal,
  ): Promise<ServerRequests[M]["result"]> {
    const question = new Question(this.#thread, method, params);
    this.#open.add(question);
    return question.run(signal).finally(() => this.#open.delete(question));
  }

  /** Sends pending questions to a new subscriber. */
  replay(connection: Client): void {
    for (const question of this.#open) question.send(connection);
  }

  close(): void {
    for (const question of this.#open) question.fail(new Error("the thread is closed"));
  }
}

class Question {
  readonly #thread: Audience;
  readonly #method: Method;
  readonly #params: unknown;
  readonly #forPerson: boolean;
  readonly #withdraw = new AbortController();
  readonly #sent = new Map<Client, RequestId>();
  readonly #refused = new Map<Client, unknown>();
  #resolve!: (result: unknown) => void;
  #reject!: (error: unknown) => void;

  constructor(thread: Audience, method: Method, params: unknown) {
    this.#thread = thread;
    this.#method = method;
    this.#params = params;
    this.#forPerson = (params as { readonly kind?: unknown }).kind === "humanCommand";
  }

  async run(signal: AbortSignal): Promise<never> {
    signal.throwIfAborted();
    const stored = this.#thread.settled?.();
    // Messages that waited for the same are sent first.
    if (stored) await stored.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
    const settled = new Promise<unknown>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const aborted = () => this.#reject(signal.reason);
    signal.addEventListener("abort", aborted, { once: true });
    const subscribers = [...this.#thread.subscribers];
    for (const subscriber of subscribers) this.send(subscriber);
    if (subscribers.length > 0 && this.#sent.size === 0) this.#reject(new Error("no client has a person to ask"));
    try {
      return (await settled) as never;
    } finally {
      signal.removeEventListener("abort", aborted);
      this.#withdraw.abort();
      if (!answeredByOne.has(this.#method)) this.#notifyResolved();
    }
  }

  send(connection: Client): void {
    if (this.#sent.has(connection)) return;
    if (this.#forPerson && connection.facts?.hasPerson !== true) return;
    const params = connection.experimental ? this.#params : stableOnly(this.#method, this.#params);
    const { id, answer } = connection.ask(this.#method, params as never, this.#withdraw.signal);
    this.#sent.set(connection, id);
    answer.then(
      (result) => this.#resolve(result),
      (error: unknown) => {
        if (this.#withdraw.signal.aborted) return;
        // A client that left gives no answer; another, or the same one on its return, may.
        if (connection.open) this.#refused.set(connection, error);
        else this.#sent.delete(connection);
        this.#settleRefused();
      },
    );
  }

  /** An error is the answer only when no client is left to give another. */
  #settleRefused(): void {
    const [first] = this.#refused.values();
    const waits = [...this.#sent.keys()].some((connection) => connection.open && !this.#refused.has(connection));
    if (this.#refused.size > 0 && !waits) this.#reject(first);
  }

  fail(error: Error): void {
    this.#reject(error);
  }

  #notifyResolved(): void {
    for (const [connection, requestId] of this.#sent) {
      connection.notify("serverRequest/resolved", { threadId: this.#thread.id, requestId });
    }
  }
}

/** Questions answered by one client alone, which offers the tool or the clock; it does not get its own answer. */
const answeredByOne: ReadonlySet<Method> = new Set<Method>(["item/tool/call", "currentTime/read"]);

/** Fields only for clients of the experimental API. Not `availableDecisions`: Codex sends it to everybody. */
const experimentalFields: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    "item/commandExecution/requestApproval": "additionalPermissions",
  }),
);

function stableOnly(method: string, params: unknown): unknown {
  const hidden = experimentalFields.get(method);
  if (hidden === undefined || typeof params !== "object" || params === null) return params;
  return Object.fromEntries(Object.entries(params).filter(([name]) => name !== hidden));
}
