import type { Database } from "bun:sqlite";
import type { TimelineEntry } from "../events/snapshot.ts";

/** A line with the issue that it is about. */
export interface TimelineLine {
  readonly issueId: string;
  readonly entry: TimelineEntry;
}

/** The lines of all timelines, in the file of the state. */
export class TimelineTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  append(lines: readonly TimelineLine[]): void {
    const insert = this.#db.query("INSERT INTO timeline (issue_id, entry) VALUES (?, ?)");
    this.#db.transaction(() => {
      for (const { issueId, entry } of lines) insert.run(issueId, JSON.stringify(entry));
    })();
  }

  /** The last lines of an issue, oldest first. */
  last(issueId: string, count: number): TimelineEntry[] {
    const rows = this.#db
      .query("SELECT entry FROM timeline WHERE issue_id = ? ORDER BY seq DESC LIMIT ?")
      .all(issueId, count) as { entry: string }[];
    return rows.map(({ entry }) => JSON.parse(entry) as TimelineEntry).reverse();
  }

  /** Removes all lines of an issue but the last. */
  keep(issueId: string, count: number): void {
    this.#db
      .query(
        "DELETE FROM timeline WHERE issue_id = ?1 AND seq <= (SELECT seq FROM timeline WHERE issue_id = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)",
      )
      .run(issueId, count);
  }
}
