/**
 * A turn with a deadline, and what can go wrong with it, told apart.
 * Run it: npx bun examples/10-deadline-and-errors.ts 60
 */
import process from "node:process";
import { CodexClient, ConnectionError, RpcError, TurnError } from "@quire/client";

const seconds = Number(process.argv[2] ?? 60);
try {
  await using codex = await CodexClient.spawn({ requestTimeoutMs: 10_000 });
  const thread = await codex.thread();
  // When time is up the turn is interrupted on the server; only then this rejects, with the signal's reason.
  const { agentMessage } = await thread.run("Fix the failing test", { signal: AbortSignal.timeout(seconds * 1000) });
  console.log(agentMessage);
} catch (error) {
  console.log(explain(error));
  process.exitCode = 1;
}

function explain(error: unknown): string {
  if (error instanceof DOMException && error.name === "TimeoutError") return `Stopped after ${seconds} s`;
  if (TurnError.is(error)) {
    const info = JSON.stringify(error.codexErrorInfo ?? null);
    return `The turn failed: ${error.message} (${info}); it had completed ${error.result.items.length} items`;
  }
  if (RpcError.is(error)) return `The server refused (${error.code}): ${error.message}; ${retry(error)}`;
  if (ConnectionError.is(error)) return `No connection (${error.code}): ${error.message}; ${retry(error)}`;
  return String(error);
}

function retry({ mayHaveRun }: { readonly mayHaveRun: boolean }): string {
  return mayHaveRun ? "it may have run: look before you try again" : "nothing has run: try again";
}
