import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
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

/**
 * Starts a server, such as a {@link RealCodex}, on a WebSocket instead of stdin and stdout, and waits until it says on
 * stderr where it listens. With port 0 it takes a free one.
 */
export async function listen(
  { command, args, env, cwd }: Pick<RealCodex, "command" | "args" | "env" | "cwd">,
  port = 0,
): Promise<ListeningServer> {
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
