import { eventually } from "@quire/testkit";

/** A call as it was asked for. */
interface OfferedCall {
  /** Path and query. */
  readonly to: string;
  readonly authorization: string | null;
  readonly sdp: string;
  readonly session: unknown;
}

/** A Realtime endpoint that says what it is told to. */
export interface RealtimeEndpoint extends AsyncDisposable {
  readonly url: string;
  /** Where sessions were opened: path and query. */
  readonly sockets: readonly string[];
  /** All that it was sent, in order. */
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly calls: readonly OfferedCall[];
  say(...events: readonly object[]): void;
  /** Waits until it was sent so many messages of a type. */
  heard(type: string, count?: number): Promise<void>;
}

/** What it answers to an offer. */
export const answerSdp = "v=0\r\ns=answer\r\n";

/** How it is to behave. */
export interface RealtimeEndpointOptions {
  /** Answers an offer. Default: with {@link answerSdp} and a call. */
  readonly call?: () => Response | Promise<Response>;
  /** Whether it lets nobody join. */
  readonly alone?: boolean;
}

/** Starts one. It accepts every session. */
export function realtimeEndpoint({ call = accept, alone = false }: RealtimeEndpointOptions = {}): RealtimeEndpoint {
  const messages: Record<string, unknown>[] = [];
  const calls: OfferedCall[] = [];
  const sockets: string[] = [];
  let socket: Bun.ServerWebSocket<unknown> | undefined;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request, self) => {
      const { pathname, search } = new URL(request.url);
      if (request.method === "POST") {
        calls.push(await readOffer(request, `${pathname}${search}`));
        return call();
      }
      if (alone || !self.upgrade(request)) return new Response("", { status: 400 });
      sockets.push(`${pathname}${search}`);
      return undefined;
    },
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
    sockets,
    messages,
    calls,
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

function accept(): Response {
  return new Response(answerSdp, { status: 201, headers: { location: "/v1/realtime/calls/rtc_1" } });
}

async function readOffer(request: Request, to: string): Promise<OfferedCall> {
  const form = await request.formData();
  return {
    to,
    authorization: request.headers.get("authorization"),
    sdp: String(form.get("sdp")),
    session: JSON.parse(String(form.get("session"))),
  };
}
