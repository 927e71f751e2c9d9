import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { FinishedIssue } from "../state/snapshot.ts";
import type { Claim } from "./claim.ts";

/** Finished issues that are remembered. */
const maxFinished = 200;
/** How long a predecessor that is just ending may still hold the file. */
const lockWaitMs = 2000;

/** Another orchestrator works with the same state. */
export class LockedError extends Error {
  override readonly name = "LockedError";
  readonly code = "already_running";
}

/**
 * What the orchestrator has taken on, in a file that outlives it. It is written before what it tells of is begun, so
 * that after a crash nothing is lost and nothing begun twice. Whoever has it open holds it alone: the lock is the
 * system's own and ends with the process, however it ends.
 */
export class ClaimStore implements Disposable {
  readonly #db: Database;

  /** Opens the file, or makes it. Throws a {@link LockedError}. @param path `:memory:` for one that is not kept. */
  constructor(path: string) {
    this.#db = open(path);
    try {
      this.#db.run(`PRAGMA busy_timeout = ${lockWaitMs}`);
      this.#db.run("PRAGMA locking_mode = EXCLUSIVE");
      this.#db.run("PRAGMA journal_mode = WAL");
      this.#db.run("PRAGMA synchronous = NORMAL");
      this.#db.run("CREATE TABLE IF NOT EXISTS claims (issue_id TEXT PRIMARY KEY, claim TEXT NOT NULL) STRICT");
      this.#db.run(
        "CREATE TABLE IF NOT EXISTS finished (issue_id TEXT PRIMARY KEY, at INTEGER NOT NULL, entry TEXT NOT NULL) STRICT",
      );
      // A write, so that the lock is taken now and not with the first run.
      this.#db.run("PRAGMA user_version = 1");
    } catch (error) {
      this.#db.close();
      if ((error as { code?: string }).code?.startsWith("SQLITE_BUSY")) {
        throw new LockedError(`Another orchestrator works on this workflow (${path} is locked): stop it first`);
      }
      throw error;
    }
  }

  /** All claims. */
  all(): Claim[] {
    const rows = this.#db.query("SELECT claim FROM claims").all() as { claim: string }[];
    return rows.map(({ claim }) => JSON.parse(claim) as Claim);
  }

  /** Writes a claim in place of the issue's last one. */
  put(claim: Claim): void {
    this.#db
      .query(
        "INSERT INTO claims (issue_id, claim) VALUES (?, ?) ON CONFLICT (issue_id) DO UPDATE SET claim = excluded.claim",
      )
      .run(claim.issue.id, JSON.stringify(claim));
  }

  /** Gives an issue up, and remembers how it went. */
  release(issueId: string, finished: FinishedIssue | undefined): void {
    this.#db.transaction(() => {
      this.#db.query("DELETE FROM claims WHERE issue_id = ?").run(issueId);
      if (finished) this.#remember(finished);
    })();
  }

  /** Finished issues, the newest first. */
  finished(): FinishedIssue[] {
    const rows = this.#db.query("SELECT entry FROM finished ORDER BY at DESC, rowid DESC").all() as { entry: string }[];
    return rows.map(({ entry }) => JSON.parse(entry) as FinishedIssue);
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #remember(finished: FinishedIssue): void {
    this.#db.query("DELETE FROM finished WHERE issue_id = ?").run(finished.issueId);
    this.#db
      .query("INSERT INTO finished (issue_id, at, entry) VALUES (?, ?, ?)")
      .run(finished.issueId, finished.at, JSON.stringify(finished));
    this.#db
      .query(
        "DELETE FROM finished WHERE issue_id IN (SELECT issue_id FROM finished ORDER BY at DESC, rowid DESC LIMIT -1 OFFSET ?)",
      )
      .run(maxFinished);
  }
}

function open(path: string): Database {
  try {
    if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
    return new Database(path, { create: true, strict: true });
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${path} cannot be opened (${message}): set QUIRE_HOME to a folder that can be written`, {
      cause: error,
    });
  }
}
