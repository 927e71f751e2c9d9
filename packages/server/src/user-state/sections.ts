import type { Database } from "bun:sqlite";
import type { ThreadSection, ThreadSectionAppearance } from "@quire/protocol";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly appearance: string | null;
}

/** Sections that users sort their threads into. `Pinned` is there from the beginning. */
export class Sections {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(): ThreadSection[] {
    return this.#db.query<Row, []>("SELECT * FROM sections ORDER BY position, id").all().map(sectionOf);
  }

  get(id: string): ThreadSection | undefined {
    const row = this.#db.query<Row, [string]>("SELECT * FROM sections WHERE id = ?").get(id);
    return row ? sectionOf(row) : undefined;
  }

  create(name: string, appearance: ThreadSectionAppearance | null): ThreadSection {
    const id = crypto.randomUUID();
    const sql = `INSERT INTO sections (id, position, name, appearance)
      VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM sections), ?, ?)`;
    this.#db.query(sql).run(id, name, appearance ? JSON.stringify(appearance) : null);
    return this.get(id) as ThreadSection;
  }

  /** An omitted appearance stays. */
  update(id: string, name: string, appearance: ThreadSectionAppearance | null): ThreadSection {
    const sql = "UPDATE sections SET name = ?, appearance = coalesce(?, appearance) WHERE id = ?";
    this.#db.query(sql).run(name, appearance ? JSON.stringify(appearance) : null, id);
    return this.get(id) as ThreadSection;
  }

  /** Its threads are in no section afterwards. */
  delete(id: string): void {
    this.#db
      .transaction(() => {
        this.#db.query("DELETE FROM sections WHERE id = ?").run(id);
        this.#db.query("UPDATE places SET section = NULL, position = NULL, entered = NULL WHERE section = ?").run(id);
      })
      .immediate();
  }
}

function sectionOf({ id, name, appearance }: Row): ThreadSection {
  const look = appearance === null ? null : (JSON.parse(appearance) as ThreadSectionAppearance);
  return { id, name, appearance: look && { icon: look.icon ?? null, color: look.color ?? null } };
}
