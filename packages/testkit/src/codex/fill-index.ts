import { spawn } from "node:child_process";
import { waitForOutput } from "./wait-for-output.ts";

/**
 * True for versions that build the index of a new home while the first thread works, as 0.118 does. About one home in a
 * hundred then loses the first message: the thread has no preview and is not listed. 0.98 has no index, 0.166 builds it
 * before it answers.
 */
export const fillsIndexLate = (version: string): boolean => version.startsWith("0.118.");

/** A server to start: program, arguments, environment and folder. */
interface CodexLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Starts a thread without a turn in a new home, and waits until the index is made. The caller ends the server. */
export async function fillIndex(codex: CodexLaunch): Promise<void> {
  const { command, args, env, cwd } = codex;
  const child = spawn(command, args, {
    env: { ...env, RUST_LOG: "codex_rollout::metadata=info" },
    cwd,
    stdio: ["pipe", "ignore", "pipe"],
  });
  // What is still on its way when the server is ended is of no use to anybody.
  child.stdin.on("error", () => undefined);
  const clientInfo = { name: "testkit", title: null, version: "1" };
  for (const message of [
    { id: 1, method: "initialize", params: { clientInfo } },
    { method: "initialized" },
    { id: 2, method: "thread/start", params: {} },
  ]) {
    child.stdin.write(`${JSON.stringify(message)}\n`);
  }
  await waitForOutput(child, /backfill scanned=/, "its index was made");
}
