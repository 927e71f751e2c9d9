import { CodexClient, type CodexClientOptions, type ThreadHandle, type Transport } from "@quire/client";
import { memoryPair } from "@quire/jsonrpc/memory";
import { codexVersion } from "@quire/protocol/version";
import { type BytePairOptions, bytePair, eventually } from "@quire/testkit";

/** A message that the client sent; a reply has no method. */
export interface Received {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** How a {@link HandServer} introduces itself, and whether it answers `initialize` at all. */
export interface HandServerOptions {
  readonly version?: string | undefined;
  readonly silent?: boolean | undefined;
}

type Params = Readonly<Record<string, unknown>>;

/**
 * A server led by hand: it answers `initialize` and `thread/start` by itself and nothing else, unless the test says so,
 * and sends what the test gives it when the test gives it.
 */
export class HandServer {
  readonly received: Received[] = [];
  readonly #write: (text: string) => void;
  readonly #answers = new Map<string, (params: never, id: number | string) => unknown>();

  constructor(write: (text: string) => void, { version = codexVersion, silent = false }: HandServerOptions = {}) {
    this.#write = write;
    if (silent) return;
    this.on("initialize", () => ({ userAgent: `quire/${version} (by hand)` }));
    this.on("thread/start", () => ({ thread: { id: "thread", turns: [] } }));
  }

  /** Answers a method from now on; an answer of `undefined` leaves the request open. */
  on(method: string, answer: (params: never, id: number | string) => unknown): this {
    this.#answers.set(method, answer);
    return this;
  }

  /** Takes a line of the client. */
  take(text: string): void {
    const message = JSON.parse(text) as Received;
    this.received.push(message);
    if (message.method === undefined || message.id === undefined) return;
    const result = this.#answers.get(message.method)?.(message.params as never, message.id);
    if (result !== undefined) this.reply(message, result);
  }

  /** Those of the client's messages that call this method. */
  calls(method: string): (Received & { readonly id: number })[] {
    return this.received.filter((each) => each.method === method) as (Received & { readonly id: number })[];
  }

  /** The `index`th call of a method, past or to come. */
  waitFor(method: string, index = 0): Promise<Received & { readonly id: number }> {
    return eventually(() => this.calls(method)[index], { what: `${method}[${index}]`, intervalMs: 1 });
  }

  /** The client's answer to a request of this server. */
  answerTo(id: number | string): Promise<Received> {
    const find = () => this.received.find((each) => each.method === undefined && each.id === id);
    return eventually(find, { what: `the answer to ${id}`, intervalMs: 1 });
  }

  reply({ id }: Pick<Received, "id">, result: unknown): void {
    this.send({ id, result });
  }

  refuse({ id }: Pick<Received, "id">, error: { code: number; message: string }): void {
    this.send({ id, error });
  }

  notify(method: string, params?: unknown): void {
    this.send({ method, params });
  }

  /** Sends a message, or a text as it is. */
  send(message: object | string): void {
    this.#write(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Sends what happens in a turn, within one turn of the event loop. */
  play(turnId: string, ...events: readonly (readonly [method: string, params: Params])[]): void {
    for (const [method, params] of events) this.notify(method, { threadId: "thread", turnId, ...params });
  }
}

/** A client on a {@link HandServer} in the same process, and a thread on it. */
export interface Rig extends AsyncDisposable {
  readonly client: CodexClient;
  readonly server: HandServer;
  readonly thread: ThreadHandle;
  readonly warnings: { readonly code: string; readonly message: string; readonly details?: unknown }[];
  /** The server's end of the wire. */
  readonly serverEnd: Transport;
}

/** Where client and server are joined: messages in memory, or bytes with faults. */
export interface RigOptions extends CodexClientOptions, HandServerOptions {
  readonly bytes?: BytePairOptions | undefined;
}

/** Makes a {@link Rig} whose client is connected. */
export async function rig(options: RigOptions = {}): Promise<Rig> {
  const { bytes, version, silent, ...clientOptions } = options;
  const [transport, serverEnd] = bytes ? bytePair(bytes) : memoryPair();
  const server = new HandServer((text) => serverEnd.send(text), { version, silent });
  serverEnd.start({ message: (text) => server.take(text), closed: () => undefined });
  const client = new CodexClient({ ...clientOptions, transport });
  const warnings: Rig["warnings"] = [];
  client.on("warning", (warning) => warnings.push(warning));
  await client.connect();
  return {
    client,
    server,
    serverEnd,
    thread: await client.thread(),
    warnings,
    async [Symbol.asyncDispose]() {
      await client.close();
      await serverEnd.close();
    },
  };
}
