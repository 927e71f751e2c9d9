import type { Database } from "bun:sqlite";
import type { ThreadSection } from "@quire/protocol";
import { toSeconds } from "../lib/seconds.ts";

/** The section and project of a thread. */
export interface Placement {
  readonly section: ThreadSection | null;
  /** In seconds. */
  readonly sectionEnteredAt: number | null;
  readonly projectId: string | null;
}

interface Row {
  readonly thread: string;
  readonly entered: number | null;
  readonly project: string | null;
  readonly section: string | null;
  readonly name: string | null;
  readonly appearance: string | null;
}

/** A thread's place within its section. */
export interface SectionEntry {
  readonly threadId: string;
  readonly position: number;
}

const gap = 1_000_000;

/** The section and the project of each thread. */
export class Placements {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  of(threadIds: readonly string[]): Map<string, Placement> {
    const sql = `SELECT p.thread, p.entered, p.project, p.section, s.name, s.appearance
      FROM places p LEFT JOIN sections s ON s.id = p.section WHERE p.thread IN (SELECT value FROM json_each(?))`;
    const rows = this.#db.query<Row, [string]>(sql).all(JSON.stringify(threadIds));
    return new Map(rows.map((row) => [row.thread, toPlacement(row)]));
  }

  inSection(sectionId: string): SectionEntry[] {
    const sql = "SELECT thread AS threadId, position FROM places WHERE section = ? ORDER BY position, thread";
    return this.#db.query<SectionEntry, [string]>(sql).all(sectionId);
  }

  inProject(projectId: string): string[] {
    const sql = "SELECT thread FROM places WHERE project = ? ORDER BY thread";
    return this.#db
      .query<{ thread: string }, [string]>(sql)
      .all(projectId)
      .map(({ thread }) => thread);
  }

  /** Moves a thread to the end of a section, or before another thread of it; `null` removes it from its section. */
  move(threadId: string, sectionId: string | null, beforeThreadId: string | null): void {
    this.#db
      .transaction(() => {
        const others = sectionId === null ? [] : this.inSection(sectionId).filter((e) => e.threadId !== threadId);
        const next = others.findIndex((entry) => entry.threadId === beforeThreadId);
        const at = next < 0 ? others.length : next;
        const below =
          others[at - 1]?.position ?? (at === 0 && others.length > 0 ? (others[0]?.position ?? 0) - gap : 0);
        const above = others[at]?.position ?? below + 2 * gap;
        const now = sectionId === null ? null : toSeconds(Date.now());
        this.#db
          .query(
            `INSERT INTO places (thread, section, position, entered) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (thread) DO
            UPDATE SET entered = CASE WHEN section IS ?2 THEN entered ELSE ?4 END, section = ?2, position = ?3`,
          )
          .run(threadId, sectionId, sectionId === null ? null : (below + above) / 2, now);
      })
      .immediate();
  }

  setProject(threadId: string, projectId: string | null): void {
    this.#db
      .query("INSERT INTO places (thread, project) VALUES (?1, ?2) ON CONFLICT (thread) DO UPDATE SET project = ?2")
      .run(threadId, projectId);
  }
}

function toPlacement(row: Row): Placement {
  const look = row.appearance === null ? null : (JSON.parse(row.appearance) as ThreadSection["appearance"]);
  const appearance = look ? { icon: look.icon ?? null, color: look.color ?? null } : null;
  return {
    section: row.section === null || row.name === null ? null : { id: row.section, name: row.name, appearance },
    sectionEnteredAt: row.entered,
    projectId: row.project,
  };
}
