import { CodexClient, type ConnectOptions, type TurnHandle } from "@quire/client";
import { codexVersion } from "@quire/protocol/version";
import { begins, completes, delta, ran, said, started, wireTurn } from "./events.ts";
import type { HandServer } from "./hand-server.ts";
import { type SocketServer, socketServer } from "./socket-server.ts";
import { rejection } from "./test.ts";

/** How tests come back: at once. */
export const reconnect = { baseMs: 1, maxMs: 5, attempts: 5 };

/** The items of the turn in whose middle the line breaks: the first is told before, the second half told. */
export const items = [ran("one", "ls"), said("two", "Half and half"), said("three", "Done.")] as const;

/** What a later connection does, and when its server tells live events besides. */
export interface Later {
  /** The turn's status. */
  readonly status: string;
  readonly items: readonly object[];
  /** Called before the reply to `thread/resume`. */
  early?(): void;
}

/** A server that lists turns and items (0.166). */
export function serveLists(server: HandServer, { status, items: listed, early }: Later): void {
  server.on("thread/resume", () => {
    early?.();
    return { thread: { id: "thread", turns: [] } };
  });
  server.on("thread/turns/list", () => ({ data: [wireTurn("t1", status)], nextCursor: null }));
  // One item a page, so that the pages are followed.
  server.on("thread/items/list", ({ cursor }: { cursor: string | null }) => {
    const at = Number(cursor ?? 0);
    const data = listed.slice(at, at + 1).map((item) => ({ turnId: "t1", item }));
    return { data, nextCursor: at + 1 < listed.length ? String(at + 1) : null };
  });
}

/** A server that gives turns with the resume, under other item ids, and lists nothing (0.118). */
export function serveWholeThread(server: HandServer, { status, items: given, early }: Later): void {
  const stored = given.map((item, index) => ({ ...item, id: `item-${index + 1}` }));
  const isActive = status === "inProgress";
  let tell = early;
  server.on("thread/read", () => ({ thread: { id: "thread", status: { type: isActive ? "active" : "idle" } } }));
  server.on("thread/resume", () => {
    tell?.();
    tell = undefined;
    return { thread: { id: "thread", turns: [wireTurn("t1", status, { items: stored })] } };
  });
  for (const method of ["thread/turns/list", "thread/items/list"]) {
    const message = `Invalid request: unknown variant \`${method}\`, expected one of \`initialize\``;
    server.on(method, (_, id) => server.refuse({ id }, { code: -32600, message }));
  }
}

/** A server that lists turns but no items, and gives them with a resume that asks for them (0.125 to 0.150). */
export function serveTurnsOnly(server: HandServer, later: Later): void {
  serveWholeThread(server, later);
  const turn = wireTurn("t1", later.status, {
    items: later.items.map((item, index) => ({ ...item, id: `item-${index + 1}` })),
  });
  let tell = later.early;
  server.on("thread/resume", ({ excludeTurns }: { excludeTurns?: boolean }) => {
    tell?.();
    tell = undefined;
    return { thread: { id: "thread", turns: excludeTurns ? [] : [turn] } };
  });
  server.on("thread/turns/list", () => ({ data: [wireTurn("t1", later.status)], nextCursor: null }));
  server.on("thread/items/list", (_, id) =>
    server.refuse({ id }, { code: -32601, message: "thread/items/list is not supported yet" }),
  );
}

/** Listens; the first connection breaks in the middle of a turn, and `later` sets up those that follow. */
export function brokenLine(
  later: (server: HandServer, index: number, drop: () => void) => void,
  version = codexVersion,
): Promise<SocketServer> {
  return socketServer(
    (server, index, drop) => {
      server.on("ping", () => ({ pong: index }));
      if (index > 0) return later(server, index, drop);
      server.on("turn/start", (_, id) => {
        const [one, two] = items;
        server.reply({ id }, { turn: wireTurn("t1", "inProgress") });
        server.play("t1", started("t1"), begins(one), completes(one), begins(two), delta("two", "Half"));
        return undefined;
      });
      server.on("drop", drop);
    },
    { version },
  );
}

/** A client whose turn `t1` runs on a line that is broken by now. */
export interface LostTurn extends AsyncDisposable {
  readonly client: CodexClient;
  readonly turn: TurnHandle;
  /** What the call that was under way at the break got. */
  readonly lost: unknown;
}

/**
 * Connects, starts the turn and lets the line break once all that came before has been seen.
 *
 * @param prepare Sees the client before the turn starts.
 */
export async function loseTurn(
  url: string,
  options: ConnectOptions & { readonly abort?: AbortSignal } = {},
  prepare: (client: CodexClient) => void = () => undefined,
): Promise<LostTurn> {
  const { abort, ...connectOptions } = options;
  const client = await CodexClient.connect(url, { reconnect, ...connectOptions });
  prepare(client);
  const turn = (await client.thread()).run("go", { signal: abort });
  for await (const { type } of turn) if (type === "agentMessage.delta") break;
  const lost = await rejection(client.requestUntyped("drop", {}));
  return { client, turn, lost, [Symbol.asyncDispose]: () => client.close() };
}
