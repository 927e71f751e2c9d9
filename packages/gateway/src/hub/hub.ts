import { checkMessage, ErrorCode, MalformedMessage, type NotificationMessage, type RequestId } from "@quire/jsonrpc";
import type { HubInfo } from "@quire/protocol/gateway";
import { errorFrame, rpcFrame } from "./frames.ts";
import { HubLink } from "./hub-link.ts";
import type { HubHost, HubOptions, PagePort } from "./hub-options.ts";
import { Leases } from "./leases.ts";
import { OpenThreads } from "./open-threads.ts";
import { Questions } from "./questions.ts";
import { errorObject, notReady } from "./rpc-errors.ts";
import { Terminals } from "./terminals.ts";
import { TurnNotes } from "./turn-notes.ts";

/** Requests of one page that may wait for their replies at once; one more is answered -32001. */
const maxPending = 1000;
/** Methods that the gateway serves itself. */
const ownPrefix = "gateway/";
/** Time for a server to describe a thread. */
const describeMs = 5000;
const defaultLingerMs = 60_000;
/** Requests whose result holds a thread that the connection is subscribed to from then on. */
const opening: ReadonlySet<string> = new Set(["thread/start", "thread/resume", "thread/fork"]);

/**
 * A server, shared by all pages. Each page speaks JSON-RPC with it as though it were alone: replies go to the page that
 * asked, everything else goes to all of them.
 *
 * Each message of the server is passed on in a microtask of its own, replies included: a page gets everything in the
 * order in which the server sent it, though replies arrive here as promises.
 */
export class Hub {
  readonly id: string;
  readonly #options: HubOptions;
  readonly #host: HubHost;
  readonly #link: HubLink;
  readonly #questions: Questions;
  readonly #threads = new OpenThreads();
  readonly #leases = new Leases();
  readonly #notes = new TurnNotes();
  readonly #terminals: Terminals;
  #lingerTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: HubOptions, host: HubHost) {
    this.id = options.id;
    this.#options = options;
    this.#host = host;
    this.#questions = new Questions({
      send: (page, message) => page.push(rpcFrame(this.id, message)),
      broadcast: (message, except) => this.#broadcast(message, except),
    });
    this.#terminals = new Terminals({
      request: (method, params) => this.#link.connection?.request(method, params),
      broadcast: (message) => this.#broadcast(message),
    });
    this.#link = new HubLink(options, {
      notification: (message) => queueMicrotask(() => this.#notified(message)),
      request: (params, context) =>
        this.#questions.ask(params, context, (question) => {
          queueMicrotask(() => this.#broadcast(question));
          host.asked(question);
        }),
      openThreads: () => this.#threads.ids,
      threadLost: (threadId) => this.#threads.forget(threadId),
      lost: () => this.#lost(),
      changed: () => host.changed(this),
    });
  }

  get info(): HubInfo {
    return this.#link.info;
  }

  /** Connects, and comes back when the connection is lost. */
  start(): void {
    this.#link.start();
  }

  /** Tries again now, if it is not connected. */
  reconnect(): void {
    this.#link.start();
  }

  /** Ends the connection for good; a spawned server is gone when it resolves. */
  async close(): Promise<void> {
    clearTimeout(this.#lingerTimer);
    await this.#link.close();
  }

  /** Sends a new page the open questions. */
  replay(page: PagePort): void {
    for (const question of this.#questions.open) page.push(rpcFrame(this.id, question));
  }

  /** Ends the processes and searches of a closed page, and releases its threads after a while. */
  leave(page: PagePort): void {
    for (const { method, params } of this.#leases.take(page)) this.#call(method, params);
    this.#threads.leave(page);
    this.#linger();
  }

  /** Answers a question from a notice; false where that cannot be done any more. */
  decide(question: string, approve: boolean): boolean {
    return this.#questions.decide(question, approve);
  }

  /** A thread in words, for a notice. Never rejects. */
  async describe(threadId: string): Promise<{ readonly title: string; readonly isSubAgent: boolean }> {
    try {
      const params = { threadId, includeTurns: false };
      const reply = await this.#link.connection?.request("thread/read", params, { timeoutMs: describeMs });
      const { name, preview, parentThreadId, source } = ((reply as { thread?: unknown })?.thread ?? {}) as Record<
        string,
        unknown
      >;
      const title = [name, preview].find((words) => typeof words === "string" && words !== "");
      const isSubAgent = typeof parentThreadId === "string" || JSON.stringify(source ?? "").includes("subAgent");
      return { title: String(title ?? ""), isSubAgent };
    } catch {
      return { title: "", isSubAgent: false };
    }
  }

  receive(page: PagePort, content: unknown): void {
    const message = checkMessage(content);
    if (message instanceof MalformedMessage) {
      if (!message.isReply) page.reply(errorFrame(this.id, message.id, message.error));
    } else if (message.method === undefined) {
      this.#questions.answer(page, message.id, message);
    } else if (message.id === undefined || message.id === null) {
      if (message.method !== "initialized") this.#notify(message as NotificationMessage);
    } else {
      this.#serve(page, message.id, message.method, message.params);
    }
  }

  #serve(page: PagePort, id: RequestId, method: string, params: unknown): void {
    const refuse = (error: { code: number; message: string }) => page.reply(errorFrame(this.id, id, error));
    const { connection, initialized } = this.#link;
    if (!connection || !initialized) refuse(notReady(this.info));
    else if (method === "initialize") page.reply(rpcFrame(this.id, { id, result: initialized }));
    else if (page.pending >= maxPending)
      refuse({ code: ErrorCode.overloaded, message: `${maxPending} requests of this page are pending; retry later.` });
    else if (method === "thread/unsubscribe" && this.#threads.release(threadIdOf(params), page))
      page.reply(rpcFrame(this.id, { id, result: { status: "unsubscribed" } }));
    else if (method.startsWith(ownPrefix)) page.reply(rpcFrame(this.id, { id, ...this.#own(method, params) }));
    else this.#forward(page, id, method, params);
  }

  /** The answer to a request that is the gateway's own. */
  #own(method: string, params: unknown): object {
    try {
      return { result: this.#terminals.serve(method, params) };
    } catch (error) {
      return { error: errorObject(error) };
    }
  }

  #forward(page: PagePort, id: RequestId, method: string, params: unknown): void {
    const replied = this.#leases.sent(page, method, params);
    page.pending++;
    // Not awaited: each `await` would let what the server said next overtake its reply.
    const settled = (answer: object) => {
      page.pending--;
      replied?.();
      page.reply(rpcFrame(this.id, { id, ...answer }));
    };
    this.#link.connection?.request(method, params).then(
      (result) => {
        if (opening.has(method)) this.#opened(page, result);
        settled({ result: result ?? null });
        if (method === "thread/resume") this.#sendNotes(page, threadIdOf(params));
      },
      (error: unknown) => settled({ error: errorObject(error) }),
    );
  }

  #opened(page: PagePort, result: unknown): void {
    const id = (result as { thread?: { id?: unknown } } | null)?.thread?.id;
    if (typeof id !== "string") return;
    this.#threads.add(id, page);
    if (!page.open) this.#linger();
  }

  #notify(message: NotificationMessage): void {
    const { connection } = this.#link;
    try {
      connection?.notifyMessage(message);
    } catch {
      // The connection has just ended or does not read; nobody waits for a notification.
    }
  }

  /** A call of the gateway's own, whose failure changes nothing. */
  #call(method: string, params: unknown): void {
    this.#link.connection?.request(method, params).catch(() => undefined);
  }

  #notified(message: NotificationMessage): void {
    const { method } = message;
    // Only the gateway speaks for the gateway.
    if (method.startsWith(ownPrefix)) return;
    this.#terminals.take(message);
    if (method === "serverRequest/resolved") {
      const resolved = this.#questions.resolvedByServer(message);
      if (resolved) this.#broadcast(resolved);
      return;
    }
    if (method === "turn/started" || method === "turn/completed" || method === "thread/closed") {
      this.#follow(method, message.params as { threadId?: unknown; turn?: { id?: unknown } } | undefined);
    }
    if (method === "thread/deleted") this.#notes.forget(threadIdOf(message.params));
    const frame = rpcFrame(this.id, message);
    this.#notes.take(message, frame);
    this.#host.broadcast(frame);
    if (method === "turn/completed") this.#host.turnEnded(message.params);
  }

  /** Sends a page that opened a thread what servers send only once. */
  #sendNotes(page: PagePort, threadId: string): void {
    for (const frame of this.#notes.of(threadId)) page.push(frame);
  }

  #follow(method: string, params: { threadId?: unknown; turn?: { id?: unknown } } | undefined): void {
    const threadId = String(params?.threadId);
    if (method === "turn/started") {
      this.#threads.turnStarted(threadId);
    } else if (method === "turn/completed") {
      this.#threads.turnEnded(threadId);
      this.#questions.turnEnded(threadId, String(params?.turn?.id));
      this.#linger();
    } else {
      this.#threads.forget(threadId);
    }
  }

  #lost(): void {
    this.#questions.withdrawAll();
    this.#threads.disconnected();
    this.#leases.clear();
    this.#terminals.clear();
  }

  #broadcast(message: object, except?: PagePort): void {
    this.#host.broadcast(rpcFrame(this.id, message), except);
  }

  /** Unsubscribes, after a while, from threads that no page has open any more. */
  #linger(): void {
    if (this.#lingerTimer !== undefined || !this.#threads.hasLeft) return;
    const { lingerMs = defaultLingerMs } = this.#options;
    this.#lingerTimer = setTimeout(() => {
      this.#lingerTimer = undefined;
      const left = this.#threads.takeLeft(lingerMs, (threadId) => this.#questions.has(threadId));
      for (const threadId of left) this.#call("thread/unsubscribe", { threadId });
      this.#linger();
    }, lingerMs);
  }
}

function threadIdOf(params: unknown): string {
  return String((params as { threadId?: unknown } | null | undefined)?.threadId);
}
