import type { Database } from "bun:sqlite";
import type { Project, ProjectRoot } from "@quire/protocol";
import { toSeconds } from "../lib/seconds.ts";

interface Row {
  readonly id: string;
  readonly position: number;
  readonly name: string;
  readonly roots: string;
  readonly metadata: string;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

/** The editable fields of a project. */
export interface ProjectParts {
  readonly name: string;
  readonly roots: readonly ProjectRoot[];
  readonly metadata: Readonly<Record<string, string>>;
}

/** A project as it is kept: when it was last used, only its threads know. */
export type StoredProject = Omit<Project, "recencyAt">;

/** Projects: folders that threads belong together by. Deleted ones are kept for their keys alone. */
export class Projects {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(): StoredProject[] {
    const rows = this.#db.query<Row, []>("SELECT * FROM projects WHERE deleted = 0 ORDER BY position, id").all();
    return rows.map(projectOf);
  }

  get(id: string): StoredProject | undefined {
    const row = this.#db.query<Row, [string]>("SELECT * FROM projects WHERE id = ? AND deleted = 0").get(id);
    return row ? projectOf(row) : undefined;
  }

  /** The project that a request with this key has made; `deleted` when it is gone. */
  byKey(key: string): StoredProject | "deleted" | undefined {
    const row = this.#db.query<Row, [string]>("SELECT * FROM projects WHERE key = ?").get(key);
    if (!row) return undefined;
    return row.deleted === 1 ? "deleted" : projectOf(row);
  }

  create(key: string, parts: ProjectParts): StoredProject {
    const id = Bun.randomUUIDv7();
    const now = toSeconds(Date.now());
    const position = "(SELECT coalesce(max(position), -1) + 1 FROM projects WHERE deleted = 0)";
    this.#db
      .query(
        `INSERT INTO projects (id, key, position, name, roots, metadata, created, updated)
        VALUES (?, ?, ${position}, ?, ?, ?, ?, ?)`,
      )
      .run(id, key, parts.name, JSON.stringify(parts.roots), JSON.stringify(parts.metadata), now, now);
    return this.get(id) as StoredProject;
  }

  update(id: string, parts: ProjectParts): StoredProject {
    this.#db
      .query("UPDATE projects SET name = ?, roots = ?, metadata = ?, updated = ? WHERE id = ?")
      .run(parts.name, JSON.stringify(parts.roots), JSON.stringify(parts.metadata), toSeconds(Date.now()), id);
    return this.get(id) as StoredProject;
  }

  move(id: string, beforeId: string | null): void {
    this.#db
      .transaction(() => {
        const others = this.list().flatMap((project) => (project.id === id ? [] : project.id));
        const at = beforeId === null ? others.length : others.indexOf(beforeId);
        this.#number(others.toSpliced(at, 0, id));
        this.#db.query("UPDATE projects SET updated = ? WHERE id = ?").run(toSeconds(Date.now()), id);
      })
      .immediate();
  }

  /** Its threads belong to no project afterwards. */
  delete(id: string): void {
    this.#db
      .transaction(() => {
        this.#db.query("UPDATE projects SET deleted = 1 WHERE id = ?").run(id);
        this.#db.query("UPDATE places SET project = NULL WHERE project = ?").run(id);
      })
      .immediate();
  }

  #number(ids: readonly string[]): void {
    const statement = this.#db.query("UPDATE projects SET position = ? WHERE id = ?");
    for (const [position, id] of ids.entries()) statement.run(position, id);
  }
}

function projectOf(row: Row): StoredProject {
  return {
    id: row.id,
    name: row.name,
    roots: JSON.parse(row.roots) as ProjectRoot[],
    metadata: JSON.parse(row.metadata) as Record<string, string>,
    position: row.position,
    createdAt: row.created,
    updatedAt: row.updated,
  };
}
