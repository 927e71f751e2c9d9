import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";

/** Another orchestrator works on the same issues. */
export class TrackerTakenError extends Error {
  override readonly name = "TrackerTakenError";
  readonly code = "tracker_taken";
}

/**
 * Locks on the trackers that an orchestrator works on: two of them, by a copied workflow for example, would do each issue
 * twice. The locks are the system's and end with the process. They hold among orchestrators with the same home.
 */
export class TrackerLocks implements Disposable {
  readonly #folder: string | undefined;
  readonly #held = new Map<string, Database>();

  /** @param folder Where they lie; undefined for none. */
  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** Takes the lock on a place of issues and keeps it. Throws a `tracker_taken`. */
  take(scope: string | null): void {
    if (scope === null || this.#folder === undefined || this.#held.has(scope)) return;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const name = createHash("sha256").update(scope).digest("hex").slice(0, 20);
    const path = join(this.#folder, `tracker-${name}.lock`);
    closeSync(openSync(path, "a", 0o600));
    const db = new Database(path);
    try {
      db.run("BEGIN EXCLUSIVE");
    } catch (error) {
      db.close();
      if (!(error as { code?: string }).code?.startsWith("SQLITE_BUSY")) throw error;
      throw new TrackerTakenError(
        `Another orchestrator works on these issues (${scope}): stop it first, or put both workflows into one`,
      );
    }
    this.#held.set(scope, db);
  }

  [Symbol.dispose](): void {
    for (const db of this.#held.values()) db.close();
    this.#held.clear();
  }
}
