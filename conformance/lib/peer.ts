import type { ErrorObject, RequestId, Transport } from "@quire/jsonrpc";
import type { ClientRequests, ServerNotifications } from "@quire/protocol";

/** A message as it travels. */
export interface WireMessage {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: ErrorObject;
}

/** A message, in the order in which it was seen. */
export interface Said {
  /** Connection: `a`, `b`, … */
  readonly peer: string;
  readonly by: "client" | "server";
  readonly message: WireMessage;
  /** Time in milliseconds. For traces; never compared. */
  readonly at: number;
}

type Answer = (params: unknown) => object | string | undefined;

/** Longest wait for any one thing: what takes longer is missing, also on a machine with much else to do. */
export const patienceMs = 30_000;

/** Id prefix of requests that are not part of a scenario. */
const probePrefix = "probe-";

/** A client connection, driven message by message: nothing is validated, retried or hidden. */
export class Peer {
  readonly name: string;
  readonly #transport: Transport;
  readonly #log: Said[];
  readonly #answers = new Map<string, Answer>();
  readonly #received: WireMessage[] = [];
  /** Those that somebody has waited for already. */
  readonly #taken = new Set<WireMessage>();
  readonly #waiting = new Set<() => void>();
  #lastId = 0;
  #lastProbe = 0;
  #lastAt: number = performance.now();
  #ended = false;

  /** @param log Gets everything that is said, in order; shared by the connections of a stage. */
  constructor(name: string, transport: Transport, log: Said[]) {
    this.name = name;
    this.#transport = transport;
    this.#log = log;
    transport.start({
      message: (text) => this.#receive(text),
      closed: () => {
        this.#ended = true;
        this.#look();
      },
    });
  }

  /** True if the connection has ended. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Sends a request and waits for its reply, be it an error. */
  request(method: string, params?: unknown): Promise<WireMessage> {
    return this.reply(this.begin(method, params));
  }

  /** Sends a request and returns its id, for {@link Peer.reply}. */
  begin(method: string, params?: unknown): number {
    const id = ++this.#lastId;
    this.send({ id, method, ...(params !== undefined && { params }) });
    return id;
  }

  /** Waits for the reply to a request. */
  reply(id: RequestId): Promise<WireMessage> {
    return this.#wait((message) => message.method === undefined && message.id === id, `the reply to request ${id}`);
  }

  /** The result of a request without which the scenario cannot continue. */
  async result<M extends keyof ClientRequests & string>(
    method: M,
    params?: unknown,
  ): Promise<ClientRequests[M]["result"]> {
    const { result, error } = await this.request(method, params);
    if (error) throw new Error(`${method} was refused: ${error.message}`);
    return result as ClientRequests[M]["result"];
  }

  /** Asks something that is no part of the scenario: neither the request nor its reply is compared. */
  async probe<M extends keyof ClientRequests & string>(
    method: M,
    params: unknown,
  ): Promise<ClientRequests[M]["result"] | undefined> {
    const id = `${probePrefix}${++this.#lastProbe}`;
    this.#transport.send(JSON.stringify({ id, method, params }));
    return (await this.reply(id)).result as ClientRequests[M]["result"] | undefined;
  }

  /** Sends a notification. */
  notify(method: string, params?: unknown): void {
    this.send({ method, ...(params !== undefined && { params }) });
  }

  /** Sends any message, also one that is no JSON. */
  send(message: WireMessage | string): void {
    this.#note("client", typeof message === "string" ? { params: message } : message);
    this.#transport.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Answers every request of this method that the server sends. What throws goes back as an error. */
  answer(method: string, answer: Answer): void {
    this.#answers.set(method, answer);
  }

  /** Waits for a notification that nobody has waited for yet. */
  async waitFor<M extends keyof ServerNotifications & string>(
    method: M,
    where: (params: ServerNotifications[M]) => boolean = () => true,
  ): Promise<ServerNotifications[M]> {
    const matches = (message: WireMessage) => message.method === method && where(message.params as never);
    return (await this.#wait(matches, method)).params as ServerNotifications[M];
  }

  /** Waits for a request of the server. */
  waitForRequest(method: string): Promise<WireMessage> {
    return this.#wait((message) => message.method === method && message.id !== undefined, method);
  }

  /**
   * Waits until nothing was said for so long, and the server answers what it is asked then: the only way to see that
   * nothing more comes, and that it is not merely kept waiting by other processes.
   */
  async silence(ms: number): Promise<void> {
    for (let last = Number.NaN; last !== this.#lastAt && !this.#ended; ) {
      for (let left = ms; left > 0 && !this.#ended; left = this.#lastAt + ms - performance.now()) {
        await new Promise((resolve) => setTimeout(resolve, left + 1));
      }
      last = this.#lastAt;
      // Whoever hangs up instead of answering says nothing more either.
      if (!this.#ended) await this.probe("thread/loaded/list", {}).catch(() => undefined);
    }
  }

  /** Ends the connection, and with stdio the server. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  #receive(text: string): void {
    const message: WireMessage = JSON.parse(text);
    if (!String(message.id).startsWith(probePrefix)) this.#note("server", message);
    this.#received.push(message);
    if (message.id !== undefined && message.method !== undefined) this.#respond(message.id, message);
    this.#look();
  }

  #respond(id: RequestId, { method = "", params }: WireMessage): void {
    const answer = this.#answers.get(method);
    if (!answer) return;
    try {
      this.send({ id, result: answer(params) });
    } catch (error) {
      this.send({ id, error: { code: -32000, message: (error as Error).message } });
    }
  }

  #note(by: "client" | "server", message: WireMessage): void {
    this.#lastAt = performance.now();
    this.#log.push({ peer: this.name, by, message, at: this.#lastAt });
  }

  #look(): void {
    for (const look of [...this.#waiting]) look();
  }

  #wait(matches: (message: WireMessage) => boolean, what: string): Promise<WireMessage> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        this.#waiting.delete(look);
      };
      const look = () => {
        const found = this.#received.find((message) => !this.#taken.has(message) && matches(message));
        if (!found && !this.#ended) return;
        stop();
        if (!found) return reject(new Error(`The server went away before ${what}`));
        this.#taken.add(found);
        resolve(found);
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`Waited ${patienceMs} ms in vain for ${what}`));
      }, patienceMs);
      this.#waiting.add(look);
      look();
    });
  }
}
