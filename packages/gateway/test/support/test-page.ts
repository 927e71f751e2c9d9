import assert from "node:assert/strict";
import type { Gateway, HubInfo, ToGateway, ToPage } from "@quire/gateway";
import { eventually } from "@quire/testkit";

/** A JSON-RPC message as a page sees it. */
export interface Rpc {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** What a browser does, without one: signs in, opens the socket, and speaks with hubs. */
export class TestPage implements AsyncDisposable {
  readonly frames: ToPage[] = [];
  readonly #socket: WebSocket;
  readonly #closed: Promise<{ readonly code: number; readonly reason: string }>;
  #ids = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.frames.push(JSON.parse(String(data)) as ToPage);
    this.#closed = new Promise((resolve) => {
      socket.onclose = ({ code, reason }) => resolve({ code, reason });
    });
  }

  /** How the socket ended. */
  get closed(): Promise<{ readonly code: number; readonly reason: string }> {
    return this.#closed;
  }

  send(frame: ToGateway): void {
    this.#socket.send(JSON.stringify(frame));
  }

  sendRaw(data: string | Uint8Array<ArrayBuffer>): void {
    this.#socket.send(data);
  }

  /** Sends a JSON-RPC message to a hub. */
  rpc(hub: string, message: unknown): void {
    this.send({ type: "rpc", hub, message });
  }

  /** Calls a hub and gives the whole reply. */
  async call(hub: string, method: string, params: unknown = {}): Promise<Rpc> {
    const id = this.#ids++;
    this.rpc(hub, { id, method, params });
    return this.reply(hub, id);
  }

  /** The reply to a request, past or to come. */
  reply(hub: string, id: number | string): Promise<Rpc> {
    const isReply = (message: Rpc) => message.id === id && message.method === undefined;
    return eventually(() => this.messages(hub).find(isReply), { what: `the reply ${id}`, timeoutMs: 30_000 });
  }

  /** Calls a hub and gives the result. */
  async result<T>(hub: string, method: string, params: unknown = {}): Promise<T> {
    const { result, error } = await this.call(hub, method, params);
    assert.equal(error, undefined, `${method}: ${error?.message}`);
    return result as T;
  }

  /** All messages of a hub so far. */
  messages(hub: string): Rpc[] {
    return this.frames.flatMap((frame) => (frame.type === "rpc" && frame.hub === hub ? [frame.message as Rpc] : []));
  }

  /** All requests and notifications of a hub by that name so far. */
  heard(hub: string, method: string): Rpc[] {
    return this.messages(hub).filter((message) => message.method === method);
  }

  /** Waits for the `index`th request or notification by that name. */
  hears(hub: string, method: string, index = 0): Promise<Rpc> {
    return eventually(() => this.heard(hub, method)[index], { what: `${method}[${index}]`, timeoutMs: 30_000 });
  }

  /** Every state that a hub was shown in, in order. */
  history(id: string): HubInfo[] {
    return this.frames.flatMap((frame) => {
      if (frame.type === "welcome") return frame.hubs.filter((hub) => hub.id === id);
      return frame.type === "hub" && frame.hub.id === id ? [frame.hub] : [];
    });
  }

  /** The hubs as this page knows them. */
  get hubs(): HubInfo[] {
    const known = new Map<string, HubInfo>();
    for (const frame of this.frames) {
      if (frame.type === "welcome") for (const hub of frame.hubs) known.set(hub.id, hub);
      else if (frame.type === "hub") known.set(frame.hub.id, frame.hub);
      else if (frame.type === "hubRemoved") known.delete(frame.id);
    }
    return [...known.values()];
  }

  /** Waits for a hub that is as asked; the first hub when nothing is asked but that it be ready. */
  hub(wanted: (hub: HubInfo) => boolean = ({ state }) => state === "ready"): Promise<HubInfo> {
    return eventually(() => this.hubs.find(wanted), { what: "the hub", timeoutMs: 30_000 });
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Signs in as the page does. Gives the cookie. */
export async function signIn({ origin, token }: Gateway): Promise<string> {
  const answer = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ token }),
  });
  assert.equal(answer.status, 204);
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

/** Opens a page. */
export async function openPage(gateway: Gateway): Promise<TestPage> {
  const cookie = await signIn(gateway);
  const { origin } = gateway;
  const socket = new WebSocket(`${origin.replace("http", "ws")}/socket`, { headers: { cookie, origin } });
  const page = new TestPage(socket);
  const refused = page.closed.then(({ code, reason }) => {
    throw new Error(`The page was closed: ${code} ${reason}`);
  });
  await Promise.race([eventually(() => page.frames.length > 0, { what: "the welcome", timeoutMs: 30_000 }), refused]);
  return page;
}
