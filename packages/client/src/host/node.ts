import { appendFileSync } from "node:fs";
import { type Transport, tapTransport } from "@quire/jsonrpc";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import type { SpawnRequest } from "./host.ts";

/** Starts an app-server as a child process. */
export function spawnServer({ command, cwd, env, shutdownMs, onStderr, maxMessageBytes }: SpawnRequest): Transport {
  const [program = "codex", ...args] = command;
  return spawnTransport({ command: program, args, cwd, env, shutdownMs, onStderr, maxMessageBytes });
}

/** Appends every message to a file, one JSON object a line. The file may hold secrets: it is made readable by its owner only. */
export function logWire(transport: Transport, file: string): Transport {
  const append = (line: string) => appendFileSync(file, line, { mode: 0o600 });
  // Now, so that a file that cannot be written fails the connecting. Later, when the disk is full, the work continues.
  append("");
  let writable = true;
  return tapTransport(transport, (direction, text) => {
    if (!writable) return;
    try {
      append(`${JSON.stringify({ at: new Date().toISOString(), direction, text })}\n`);
    } catch {
      writable = false;
    }
  });
}
