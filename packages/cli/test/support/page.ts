import assert from "node:assert/strict";
import { eventually } from "@quire/testkit";

/** Where a page is, and what opens it. */
interface PageAddress {
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  readonly token: string;
}

interface Hub {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there
type Loose = any;

/** A page of the gateway, without a browser. */
export interface Page {
  readonly hubs: readonly Hub[];
  /** The first hub, once it is ready. */
  hub(): Promise<Hub>;
  /** Waits until so many hubs are ready. */
  ready(count: number): Promise<unknown>;
  /** The result of a call. */
  call(hub: string, method: string, params: unknown): Promise<Loose>;
  /** The params of the first notification by that name. */
  hears(method: string): Promise<Loose>;
  readonly closed: Promise<unknown>;
}

/** Far above what a machine needs that is busy starting servers. */
const patience = { timeoutMs: 30_000 };

/** Signs in with the token and opens the socket. */
export async function openPage({ origin, token }: PageAddress): Promise<Page> {
  const answer = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ token }),
  });
  assert.equal(answer.status, 204);
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  const socket = new WebSocket(`${origin.replace("http", "ws")}/socket`, { headers: { cookie, origin } });
  const frames: Loose[] = [];
  socket.onmessage = ({ data }) => frames.push(JSON.parse(String(data)));
  const closed = new Promise((resolve) => {
    socket.onclose = resolve;
  });
  await eventually(() => frames.length > 0, patience);
  let ids = 0;
  const hubs = () => {
    const known = new Map<string, Hub>();
    for (const frame of frames) {
      for (const hub of frame.hubs ?? []) known.set(hub.id, hub);
      if (frame.type === "hub") known.set(frame.hub.id, frame.hub);
    }
    return [...known.values()];
  };
  return {
    get hubs() {
      return hubs();
    },
    hub: () => eventually(() => hubs().find(({ state }) => state === "ready"), patience),
    ready: (count) => eventually(() => hubs().filter(({ state }) => state === "ready").length === count, patience),
    async call(hub, method, params) {
      const id = ids++;
      socket.send(JSON.stringify({ type: "rpc", hub, message: { id, method, params } }));
      const isReply = ({ message }: Loose) => message?.id === id && message.method === undefined;
      const { message } = await eventually(() => frames.find(isReply), patience);
      assert.equal(message.error, undefined);
      return message.result;
    },
    async hears(method) {
      const found = await eventually(() => frames.find(({ message }) => message?.method === method), patience);
      return found.message.params;
    },
    closed,
  };
}
