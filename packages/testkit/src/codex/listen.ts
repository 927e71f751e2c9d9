import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { eventually } from "../lib/eventually.ts";
import type { RealCodex } from "./real-codex.ts";
import { waitForOutput } from "./wait-for-output.ts";

/** A server that listens on a WebSocket of this machine. Disposal is {@link ListeningServer.kill}. */
export interface ListeningServer extends AsyncDisposable {
  /** `ws://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** Ends it without a word. Resolves when it is gone. Idempotent. */
  kill(): Promise<void>;
}

/** The start of a server. */
type Launch = Pick<RealCodex, "command" | "args" | "env" | "cwd">;

/**
 * Starts a server, such as a {@link RealCodex}, on a WebSocket instead of stdin and stdout, and waits until it says on
 * stderr where it listens. With port 0 it takes a free one. Another is waited for while it is in use: between the end of one
 * server and the start of the next, the system may lend its port to any connection of this machine.
 */
export async function listen(launch: Launch, port = 0): Promise<ListeningServer> {
  if (port === 0) return start(launch, port);
  const attempt = () =>
    start(launch, port).catch((error: Error) => (/in use/i.test(error.message) ? undefined : error));
  const outcome = await eventually(attempt, { what: `port ${port} to be free` });
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

async function start({ command, args, env, cwd }: Launch, port: number): Promise<ListeningServer> {
  const child = spawn(command, [...args, "--listen", `ws://127.0.0.1:${port}`], {
    env,
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const kill = () => ended(child);
  try {
    const url = await waitForOutput(child, /ws:\/\/127\.0\.0\.1:\d+/, "it listened");
    return { url, port: Number(new URL(url).port), kill, [Symbol.asyncDispose]: kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}
