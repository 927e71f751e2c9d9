import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { eventually, type RealCodex } from "@quire/testkit";

/** A server process that listens. Whoever started it disposes of it. */
export interface Listener extends AsyncDisposable {
  /** `ws://…` or `unix://…`. */
  readonly url: string;
}

/** Where a server listens, and with which further flags. */
export interface ListenOptions {
  /** Default: a free port on this machine. */
  readonly on?: "port" | "socket";
  readonly flags?: readonly string[];
}

/** Starts a server and waits until it listens. */
export async function listen(codex: RealCodex, { on = "port", flags = [] }: ListenOptions = {}): Promise<Listener> {
  const { command, args, env, cwd, home } = codex;
  const socket = join(home, "listener.sock");
  const port = await freePort();
  const url = on === "port" ? `ws://127.0.0.1:${port}` : `unix://${socket}`;
  const child = spawn(command, [...args, "--listen", url, ...flags], { env, cwd, stdio: "ignore" });
  const listens =
    on === "port" ? async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok : () => existsSync(socket);
  await eventually(listens, { what: "a server that listens" });
  return { url, [Symbol.asyncDispose]: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
