import type { Database } from "bun:sqlite";
import { randomUUID } from "node:crypto";
import type { FinishedIssue, TokenCounts } from "../events/snapshot.ts";
import type { Claim } from "./claim.ts";
import { StateFileError } from "./state-errors.ts";
import { openStateFile } from "./state-file.ts";
import { TimelineTable } from "./timeline-table.ts";

/** Finished issues that are remembered. */
const maxFinished = 200;

/** Totals of all finished runs, earlier orchestrators' included. */
export interface EndedTotals extends TokenCounts {
  readonly seconds: number;
}

const nothingEnded: EndedTotals = { inputTokens: 0, outputTokens: 0, totalTokens: 0, seconds: 0 };

/**
 * Claims and their results, in a file that outlives the orchestrator. Each is written before its work starts, so after
 * a crash nothing is lost and nothing starts twice.
 */
export class ClaimStore implements Disposable {
  readonly #db: Database;
  readonly #path: string;
  readonly timelines: TimelineTable;
  /** Names this file's state, the same for every orchestrator that works with it. */
  readonly id: string;

  /** Opens the file, or makes it; see {@link openStateFile}. */
  constructor(path: string) {
    this.#db = openStateFile(path);
    this.#path = path;
    this.timelines = new TimelineTable(this.#db);
    this.id = this.#fact("id") ?? this.#setFact("id", randomUUID());
  }

  /** All claims. */
  all(): Claim[] {
    const rows = this.#db.query("SELECT claim FROM claims").all() as { claim: string }[];
    return rows.map(({ claim }) => JSON.parse(claim) as Claim);
  }

  /** Writes a claim in place of the issue's last one. */
  put(claim: Claim): void {
    this.together(() => {
      this.#db
        .query(
          "INSERT INTO claims (issue_id, claim) VALUES (?, ?) ON CONFLICT (issue_id) DO UPDATE SET claim = excluded.claim",
        )
        .run(claim.issue.id, JSON.stringify(claim));
    });
  }

  /** Gives an issue up, and remembers how it went. */
  release(issueId: string, finished: FinishedIssue | undefined): void {
    this.together(() => {
      this.#db.query("DELETE FROM claims WHERE issue_id = ?").run(issueId);
      if (finished) this.#remember(finished);
    });
  }

  /** Finished issues, the newest first. */
  finished(): FinishedIssue[] {
    const rows = this.#db.query("SELECT entry FROM finished ORDER BY at DESC, rowid DESC").all() as { entry: string }[];
    return rows.map(({ entry }) => JSON.parse(entry) as FinishedIssue);
  }

  totals(): EndedTotals {
    const written = this.#fact("totals");
    return written === undefined ? nothingEnded : (JSON.parse(written) as EndedTotals);
  }

  setTotals(totals: EndedTotals): void {
    this.#setFact("totals", JSON.stringify(totals));
  }

  /** Has all that `work` writes written, or nothing of it. Throws a {@link StateFileError} where that cannot be. */
  together(work: () => void): void {
    try {
      this.#db.transaction(work)();
    } catch (error) {
      const { code = "", message } = error as { code?: string; message: string };
      if (!code.startsWith("SQLITE_")) throw error;
      const why = code === "SQLITE_FULL" ? "the disk is full: free some space" : message;
      throw new StateFileError(`${this.#path} cannot be written: ${why}`, { cause: error });
    }
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #fact(name: string): string | undefined {
    const row = this.#db.query("SELECT value FROM facts WHERE name = ?").get(name) as { value: string } | null;
    return row?.value;
  }

  #setFact(name: string, value: string): string {
    this.#db
      .query("INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")
      .run(name, value);
    return value;
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
