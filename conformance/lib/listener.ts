import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { eventually, listen as listenOnPort, type RealCodex } from "@quire/testkit";
import { patienceMs } from "./peer.ts";

/** A server process that listens. Its owner disposes of it. */
export interface Listener extends AsyncDisposable {
  /** `ws://…` or `unix://…`. */
  readonly url: string;
}

/** Address and further flags of a listening server. */
export interface ListenOptions {
  /** Default: a free port on this machine, which the server itself chooses. */
  readonly on?: "port" | "socket";
  readonly flags?: readonly string[];
}

/** Starts a server and waits until it listens. */
export function listen(codex: RealCodex, { on = "port", flags = [] }: ListenOptions = {}): Promise<Listener> {
  const args = [...codex.args, ...flags];
  return on === "port" ? listenOnPort({ ...codex, args }) : listenOnSocket({ ...codex, args });
}

async function listenOnSocket({ command, args, env, cwd, home }: RealCodex): Promise<Listener> {
  const socket = join(home, "listener.sock");
  const url = `unix://${socket}`;
  const child = spawn(command, [...args, "--listen", url], { env, cwd, stdio: "ignore" });
  await eventually(() => isTaken(socket), { timeoutMs: patienceMs, what: "a server that listens" });
  return { url, [Symbol.asyncDispose]: () => end(child) };
}

/** True if a server accepts connections there: the file alone appears a moment before. */
async function isTaken(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    return true;
  } finally {
    socket.destroy();
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
