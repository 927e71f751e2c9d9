import type { Database } from "bun:sqlite";
import { randomUUID } from "node:crypto";
import type { FinishedIssue, TokenCounts } from "../events/snapshot.ts";
import type { DaySpent } from "./budget.ts";
import type { Claim } from "./claim.ts";
import { DeliveryTable } from "./delivery-table.ts";
import { StateFileError } from "./state-errors.ts";
import { openStateFile } from "./state-file.ts";
import { TimelineTable } from "./timeline-table.ts";

/** Finished issues that are loaded, and those that are kept for the case that one is sent back. */
const maxLoaded = 200;
const maxFinished = 100_000;

/** Totals of all finished runs, earlier orchestrators' included. */
export interface EndedTotals extends TokenCounts {
  readonly seconds: number;
}

/** Finished issues that were searched for. */
export interface FinishedSearch {
  /** All that match. */
  readonly count: number;
  /** The newest of them. */
  readonly found: readonly FinishedIssue[];
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
  readonly deliveries: DeliveryTable;
  /** Names this file's state, the same for every orchestrator that works with it. */
  readonly id: string;

  /** Opens the file, or makes it; see {@link openStateFile}. */
  constructor(path: string) {
    this.#db = openStateFile(path);
    this.#path = path;
    this.timelines = new TimelineTable(this.#db);
    this.deliveries = new DeliveryTable(this.#db);
    this.id = this.#fact("id") ?? this.#setFact("id", randomUUID());
  }

  /** Priorities that people gave, by issue. */
  priorities(): [string, number][] {
    return JSON.parse(this.#fact("priorities") ?? "[]") as [string, number][];
  }

  setPriorities(all: readonly (readonly [string, number])[]): void {
    this.#setFact("priorities", JSON.stringify(all));
  }

  /** All claims. */
  all(): Claim[] {
    const rows = this.#db.query("SELECT claim FROM claims").all() as { claim: string }[];
    return rows.map(({ claim }) => JSON.parse(claim) as Claim);
  }

  /** Writes the claim of a run that begins; what was finished is not any more. */
  begin(claim: Claim): void {
    this.together(() => {
      this.put(claim);
      this.#db.query("DELETE FROM finished WHERE issue_id = ?").run(claim.issue.id);
    });
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
      if (finished) this.remember(finished);
    });
  }

  /** The newest finished issues, the newest first. */
  finished(): FinishedIssue[] {
    const rows = this.#db.query("SELECT entry FROM finished ORDER BY at DESC, rowid DESC LIMIT ?").all(maxLoaded) as {
      entry: string;
    }[];
    return rows.map(({ entry }) => JSON.parse(entry) as FinishedIssue);
  }

  /** Finished issues that have these words, the newest first, without those that are to be left out. */
  searchFinished(
    words: string,
    limit: number,
    without: ReadonlySet<string>,
  ): { count: number; found: FinishedIssue[] } {
    const left = JSON.stringify([...without]);
    const isLeft = "issue_id IN (SELECT value FROM json_each(?1))";
    const matches = `instr(lower(json_extract(entry, '$.identifier') || char(10) || json_extract(entry, '$.title')
      || char(10) || json_extract(entry, '$.state')), ?2) > 0`;
    const wanted = words === "" ? `?2 = '' AND NOT ${isLeft}` : `NOT ${isLeft} AND ${matches}`;
    const rows = this.#db
      .query(`SELECT entry FROM finished WHERE ${wanted} ORDER BY at DESC, rowid DESC LIMIT ?3`)
      .all(left, words, limit) as { entry: string }[];
    const found = rows.map(({ entry }) => JSON.parse(entry) as FinishedIssue);
    if (found.length < limit) return { count: found.length, found };
    const countOf = (where: string, ...values: string[]) =>
      (this.#db.query(`SELECT count(*) AS count FROM finished WHERE ${where}`).get(...values) as { count: number })
        .count;
    // To count those to leave out is quick: they are few, and found by their ids.
    const count = words === "" ? this.finishedCount() - countOf(isLeft, left) : countOf(wanted, left, words);
    return { count, found };
  }

  /** A finished issue. */
  finishedIssue(issueId: string): FinishedIssue | undefined {
    const row = this.#db.query("SELECT entry FROM finished WHERE issue_id = ?").get(issueId) as {
      entry: string;
    } | null;
    return row ? (JSON.parse(row.entry) as FinishedIssue) : undefined;
  }

  /** A finished issue by its identifier. */
  finishedByName(identifier: string): FinishedIssue | undefined {
    const row = this.#db
      .query("SELECT entry FROM finished WHERE json_extract(entry, '$.identifier') = ? ORDER BY at DESC LIMIT 1")
      .get(identifier) as { entry: string } | null;
    return row ? (JSON.parse(row.entry) as FinishedIssue) : undefined;
  }

  /** Number of all finished issues. */
  finishedCount(): number {
    return (this.#db.query("SELECT count(*) AS count FROM finished").get() as { count: number }).count;
  }

  /** Writes a finished issue in place of its last entry. */
  remember(finished: FinishedIssue): void {
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

  totals(): EndedTotals {
    const written = this.#fact("totals");
    return written === undefined ? nothingEnded : (JSON.parse(written) as EndedTotals);
  }

  setTotals(totals: EndedTotals): void {
    this.#setFact("totals", JSON.stringify(totals));
  }

  /** Usage of the last day on which something ran. */
  day(): DaySpent | undefined {
    const written = this.#fact("day");
    return written === undefined ? undefined : (JSON.parse(written) as DaySpent);
  }

  setDay(day: DaySpent): void {
    this.#setFact("day", JSON.stringify(day));
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
}
