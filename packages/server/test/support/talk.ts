import type { Connection } from "@quire/jsonrpc";
import type { ServerMethods, ServerNotifications } from "@quire/protocol";
import { eventually } from "@quire/testkit";

/** What a client heard. */
export interface Heard {
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests pick fields out of whatever was told
  readonly params: any;
}

/** A client's talk with a server: its requests, untyped, and all it hears of the given methods. */
export class Talk {
  readonly client: Connection<ServerMethods>;
  readonly heard: Heard[] = [];

  constructor(client: Connection<ServerMethods>, methods: readonly (keyof ServerNotifications)[]) {
    this.client = client;
    for (const method of methods) client.on(method as never, (params) => void this.heard.push({ method, params }));
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests pick fields out of whatever was answered
  call(method: string, params?: object): Promise<any> {
    return this.client.request(method as never, params as never);
  }

  /** The first that was or will be heard of the method and fits. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  async told(method: string, fits: (params: any) => boolean = () => true): Promise<any> {
    const find = () => this.heard.find((each) => each.method === method && fits(each.params));
    await eventually(() => find() !== undefined, { timeoutMs: 30_000, what: method });
    return find()?.params;
  }

  /** Starts a thread and gives its id. */
  async thread(params: object = {}): Promise<string> {
    return (await this.call("thread/start", params)).thread.id;
  }

  /** Runs a turn to its end; gives the turn. Needs `turn/completed` among the methods. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  async turn(threadId: string): Promise<any> {
    const { turn } = await this.call("turn/start", { threadId, input: [{ type: "text", text: "go" }] });
    return (await this.told("turn/completed", (params) => params.turn.id === turn.id)).turn;
  }
}
