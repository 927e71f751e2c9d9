import { type OutputLimit, tokensOf, truncateOutput } from "../truncate-output.ts";
import type { ExecSession } from "./exec-session.ts";

/** The report to the model: duration, state, and output since the last report. */
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
