import { type OutputLimit, tokensOf, truncateOutput } from "../truncate-output.ts";
import type { ExecSession } from "./exec-session.ts";

/** What the model is told of a command: how long the call took, whether it runs on, and what it has said since. */
export function execResult(session: ExecSession, startedAt: number, limit: OutputLimit): string {
  const output = session.read();
  const { status } = session;
  return [
    `Chunk ID: ${chunkId()}`,
    `Wall time: ${((performance.now() - startedAt) / 1000).toFixed(4)} seconds`,
    status ? `Process exited with code ${status.code}` : `Process running with session ID ${session.id}`,
    `Original token count: ${tokensOf(output.totalBytes)}`,
    "Output:",
    truncateOutput(output, limit),
  ].join("\n");
}

function chunkId(): string {
  return Math.floor(Math.random() * 0x100_0000)
    .toString(16)
    .padStart(6, "0");
}
