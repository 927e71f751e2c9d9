import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { orchestratorHome } from "../lib/token-file.ts";

/** Longest wait for the others, and the pause between two tries; each of them is done in a fraction of a second. */
const waitMs = 120_000;
const pauseMs = 10;

/**
 * Runs the work while no other process does so for this repository: git itself fails where two worktrees are made or
 * removed at once. The lock is the system's and ends with its process. It lies where agents cannot write.
 *
 * @param common The repository's git directory.
 */
export async function withRepositoryLock<T>(common: string, work: () => Promise<T>): Promise<T> {
  const folder = join(orchestratorHome(process.env), "locks");
  const name = createHash("sha256")
    .update(await realpath(common))
    .digest("hex")
    .slice(0, 20);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.lock`);
  closeSync(openSync(path, "a", 0o600));
  const db = new Database(path);
  try {
    await take(db, common);
    return await work();
  } finally {
    db.close();
  }
}

/** Takes the lock. Tries again and again instead of waiting in SQLite: the holder may be of this very process. */
async function take(db: Database, common: string): Promise<void> {
  const end = performance.now() + waitMs;
  for (;;) {
    try {
      db.run("BEGIN EXCLUSIVE");
      return;
    } catch (error) {
      if (!(error as { code?: string }).code?.startsWith("SQLITE_BUSY")) throw error;
      if (performance.now() > end) {
        const remedy = "see what other git commands do there, then try again";
        throw new Error(`Another worktree of ${common} is being made for over ${waitMs / 1000} s: ${remedy}`);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (1 + Math.random())));
  }
}
