import { Connection, type RequestContext, RpcError, type Transport } from "@quire/jsonrpc";
import type {
  ClientMethods,
  ServerMethods,
  ServerNotifications,
  ServerRequests,
  ThreadItem,
  Turn,
} from "@quire/protocol";
import { eventually } from "@quire/testkit";

// biome-ignore lint/suspicious/noExplicitAny: tests pick fields out of whatever came
type Any = any;

/** A notification or a question of the server, as it came. A question has an id. */
export interface Received {
  readonly id?: number | string;
  readonly method: string;
  readonly params: Any;
}

/** The params of a notification or question; of a method that is not known until the test runs, anything. */
type ParamsOf<Method extends string> = Method extends keyof ServerNotifications ? ServerNotifications[Method] : Any;

/** Waits that a busy machine needs; nothing that comes takes as long. */
const patienceMs = 240_000;

/** Text as a turn's input. */
export const input = (text: string): object[] => [{ type: "text", text, text_elements: [] }];

/**
 * A client that keeps all it receives. A question of the server stays open until the test answers it, by
 * {@link answer}, {@link refuse} or a handler.
 */
export class TestClient implements AsyncDisposable {
  readonly #connection: Connection<ServerMethods, ClientMethods>;
  readonly #open = new Map<number | string, { resolve(result: unknown): void; reject(error: Error): void }>();
  /** Notifications and questions, in their order. */
  readonly received: Received[] = [];

  /** Takes over the transport. */
  constructor(transport: Transport) {
    this.#connection = new Connection(transport, {
      takeNotification: (text) => {
        const message = JSON.parse(text);
        if (message.method !== undefined) this.received.push(message);
        return false;
      },
      onRequest: (_, { id }: RequestContext) =>
        new Promise((resolve, reject) => void this.#open.set(id, { resolve, reject })),
    });
  }

  /** Shakes hands. */
  async initialize(capabilities: object = { experimentalApi: true }): Promise<void> {
    await this.request("initialize", { clientInfo: { name: "test", version: "1.0.0" }, capabilities });
    this.#connection.notify("initialized");
  }

  /** Params are not typed, for tests send wrong ones too. */
  request(method: string, params?: object): Promise<Any> {
    return this.#connection.request(method as never, params as never);
  }

  /** Runs with each notification of a method, at once. */
  on<Method extends keyof ServerNotifications>(
    method: Method,
    listener: (params: ServerNotifications[Method]) => void,
  ): void {
    this.#connection.on(method as never, listener as never);
  }

  /** Answers every question of a method from now on. */
  handle(method: keyof ServerRequests, answer: (params: Any) => Any): void {
    this.#connection.handle(method, answer as never);
  }

  /** The params of the first message of a method, past or to come, that matches. */
  async waitFor(method: string, matches: (params: Any) => boolean = () => true): Promise<Any> {
    return (await this.find((message) => message.method === method && matches(message.params), method)).params;
  }

  /** The first message, past or to come, that matches. */
  find(matches: (message: Received) => boolean, what = "a message"): Promise<Received> {
    return eventually(() => this.received.find(matches), { timeoutMs: patienceMs, what });
  }

  /** The params of all messages of a method so far. */
  all<Method extends string>(method: Method): ParamsOf<Method>[] {
    return this.received.filter((message) => message.method === method).map(({ params }) => params);
  }

  /** The items that were completed, in their order. */
  get items(): ThreadItem[] {
    return this.all("item/completed").map(({ item }) => item);
  }

  /** An item as it ended. */
  completed(itemId: string): Any {
    return this.items.find(({ id }) => id === itemId);
  }

  /** Starts a thread and gives its id. */
  async thread(params: object = {}): Promise<string> {
    return (await this.request("thread/start", params)).thread.id;
  }

  /** Starts a turn and gives its id. */
  async start(threadId: string, text = "go"): Promise<string> {
    return (await this.request("turn/start", { threadId, input: input(text) })).turn.id;
  }

  /** Waits for the end of a turn. */
  async ended(turnId: string): Promise<Turn> {
    return (await this.waitFor("turn/completed", ({ turn }) => turn.id === turnId)).turn;
  }

  /** Runs a turn to its end. */
  async turn(threadId: string, text?: string): Promise<Turn> {
    return this.ended(await this.start(threadId, text));
  }

  /** Interrupts the turn that runs. */
  async interrupt(threadId: string): Promise<void> {
    const { thread } = await this.request("thread/read", { threadId, includeTurns: true });
    await this.request("turn/interrupt", { threadId, turnId: thread.turns.at(-1)?.id });
  }

  /** Waits for the server's question about an item. */
  question(itemId: string): Promise<Received> {
    return this.find(({ id, params }) => id !== undefined && params?.itemId === itemId, `a question about ${itemId}`);
  }

  /** Answers the question about an item. */
  async answer(itemId: string, result: object): Promise<void> {
    this.#open.get((await this.question(itemId)).id ?? "")?.resolve(result);
  }

  /** Answers the question about an item with an error. */
  async refuse(itemId: string): Promise<void> {
    this.#open.get((await this.question(itemId)).id ?? "")?.reject(new RpcError({ code: -32000, message: "no" }));
  }

  /** Ends the connection. */
  async close(): Promise<void> {
    await this.#connection.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
