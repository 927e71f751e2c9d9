import { eventually } from "@quire/testkit";

/** A Realtime endpoint that says what it is told to. */
export interface RealtimeEndpoint extends AsyncDisposable {
  readonly url: string;
  /** All that it was sent, in order. */
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  say(...events: readonly object[]): void;
  /** Waits until it was sent so many messages of a type. */
  heard(type: string, count?: number): Promise<void>;
}

/** Starts one. It accepts every session. */
export function realtimeEndpoint(): RealtimeEndpoint {
  const messages: Record<string, unknown>[] = [];
  let socket: Bun.ServerWebSocket<unknown> | undefined;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response("", { status: 400 })),
    websocket: {
      open: (opened) => {
        socket = opened;
      },
      message: (from, text) => {
        const message = JSON.parse(String(text)) as Record<string, unknown>;
        messages.push(message);
        if (message.type === "session.update")
          from.send(JSON.stringify({ type: "session.updated", session: { id: "session-1", instructions: "" } }));
      },
    },
  });
  return {
    url: `ws://127.0.0.1:${server.port}`,
    messages,
    say: (...events) => {
      for (const event of events) socket?.send(JSON.stringify(event));
    },
    heard: async (type, count = 1) => {
      await eventually(() => messages.filter((message) => message.type === type).length >= count, {
        what: `${count} × ${type}`,
      });
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
