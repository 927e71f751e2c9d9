import { chmodSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { umask } from "node:process";
import type { Acceptor, Listener } from "./acceptor.ts";
import { ListenError } from "./listen-error.ts";
import { listenWebSocket, type WebSocketOptions } from "./websocket.ts";

/** The limit of socket addresses on every system. */
const maxPathBytes = 103;

/** Serves WebSockets on a unix socket for this user only. Replaces a dead socket file; closing removes the file. */
export async function listenUnix(
  acceptor: Acceptor,
  options: WebSocketOptions & { readonly at: { readonly path: string } },
): Promise<Listener> {
  const path = resolve(options.at.path);
  if (Buffer.byteLength(path) > maxPathBytes) {
    throw new ListenError(`the socket path is longer than ${maxPathBytes} bytes: ${path}; choose a shorter one`);
  }
  try {
    await makeWay(path);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    if (error instanceof ListenError) throw error;
    throw new ListenError(`no socket can be made at ${path}: ${(error as Error).message}; choose another path`, {
      cause: error,
    });
  }
  // Set beforehand, as the socket can be connected to from the moment it is bound.
  const mask = umask(0o177);
  let listener: Listener;
  try {
    listener = listenWebSocket(acceptor, { ...options, at: { path } });
  } finally {
    umask(mask);
  }
  chmodSync(path, 0o600);
  const { ino } = lstatSync(path);
  return {
    address: listener.address,
    closed: listener.closed,
    async close() {
      const own = lstatSync(path, { throwIfNoEntry: false })?.ino === ino;
      await listener.close();
      if (own) rmSync(path, { force: true });
    },
  };
}

async function makeWay(path: string): Promise<void> {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isSocket()) {
    throw new ListenError(
      `app-server control socket path exists and is not a socket: ${path}; remove it or choose another`,
    );
  }
  if (await isLive(path)) {
    throw new ListenError(
      `app-server control socket is already in use at ${path}; stop that server or choose another path`,
    );
  }
  rmSync(path, { force: true });
}

async function isLive(path: string): Promise<boolean> {
  try {
    const socket = await Bun.connect({ unix: path, socket: { data() {} } });
    socket.end();
    return true;
  } catch {
    return false;
  }
}
