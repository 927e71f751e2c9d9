import type { Database } from "bun:sqlite";
import type { Delivery } from "../deliver/delivery.ts";

interface Row {
  readonly entry: string;
}

/** The deliveries of all issues, in the file of the state. */
export class DeliveryTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get(issueId: string): Delivery | undefined {
    const row = this.#db.query("SELECT entry FROM deliveries WHERE issue_id = ?").get(issueId) as Row | null;
    return row ? (JSON.parse(row.entry) as Delivery) : undefined;
  }

  /** Those that something may still happen to. */
  open(): Delivery[] {
    const rows = this.#db.query("SELECT entry FROM deliveries WHERE is_open = 1 ORDER BY rowid").all() as Row[];
    return rows.map(({ entry }) => JSON.parse(entry) as Delivery);
  }

  put(delivery: Delivery): void {
    const isOpen = delivery.state === "pending" || delivery.state === "open" ? 1 : 0;
    this.#db
      .query(
        "INSERT INTO deliveries (issue_id, is_open, entry) VALUES (?1, ?2, ?3) ON CONFLICT (issue_id) DO UPDATE SET is_open = ?2, entry = ?3",
      )
      .run(delivery.issue.id, isOpen, JSON.stringify(delivery));
  }
}
