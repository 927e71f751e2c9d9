import { appendFileSync } from "node:fs";
import process from "node:process";
import { type Transport, tapTransport } from "@quire/jsonrpc";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import { findProgram } from "./find-program.ts";
import type { LocateRequest, SpawnRequest } from "./host.ts";

/** Starts an app-server as a child process. */
export function spawnServer({ command, env: added, ...options }: SpawnRequest): Transport {
  const env = added ? { ...process.env, ...added } : process.env;
  const [program = "codex", ...args] = locateServer({ command, env });
  return spawnTransport({ ...options, command: program, args, env });
}

/** Finds the program of a command, where it is a server that is known by its name. */
export function locateServer({ command: [program = "codex", ...args], ...where }: LocateRequest): readonly string[] {
  return [...findProgram(program, where), ...args];
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
