import { linkSync, rmSync, writeFileSync } from "node:fs";
import { poll } from "./poll.ts";
import { isRunning, processRecord, readRecord } from "./process-record.ts";

/** Runs the work while no other process does so under the same lock file. The lock of a process that has died is none. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const mine = `${path}.${process.pid}`;
  writeFileSync(mine, JSON.stringify(processRecord(process.pid)), { mode: 0o600 });
  try {
    if ((await poll(async () => (taken(mine, path) ? true : undefined))) === undefined) {
      const holder = readRecord(path)?.pid ?? "unknown";
      throw new Error(`process ${holder} is still starting or stopping the daemon; try again`);
    }
    try {
      return await work();
    } finally {
      rmSync(path, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function taken(mine: string, path: string): boolean {
  try {
    // Unlike creating and then writing it, a link is there at once, with all it says.
    linkSync(mine, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const holder = readRecord(path);
    if (holder === undefined || !isRunning(holder)) rmSync(path, { force: true });
    return false;
  }
}
