import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Connection, type ConnectionOptions } from "@quire/jsonrpc";
import { type ChildTransport, type SpawnOptions, spawnTransport } from "@quire/jsonrpc/stdio";
import { until } from "./async.ts";

/** The Node that runs fixtures, whichever runtime runs the tests. */
export const node: string = "Bun" in globalThis ? "node" : process.execPath;

/** Where a fixture lies, seen from the sources and from the compiled tests alike. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../test/fixtures/${name}`, import.meta.url));
}

/** A connection to the fixture `peer.mjs`, and the transport under it. */
export function spawnPeer(
  spawn: Partial<SpawnOptions> = {},
  options: ConnectionOptions = {},
): { peer: Connection; transport: ChildTransport } {
  const { args = [], ...rest } = spawn;
  const transport = spawnTransport({ command: node, args: [fixture("peer.mjs"), ...args], ...rest });
  return { peer: new Connection(transport, options), transport };
}

/** Whether a process runs. One that has ended but was not yet collected by its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return true;
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

/** Asserts that a process has been ended. The signal was sent, but the system may take a moment to carry it out. */
export async function assertEnds(pid: unknown): Promise<void> {
  assert.equal(typeof pid, "number");
  await until(() => !isAlive(pid as number));
}
