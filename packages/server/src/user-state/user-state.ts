import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { Attachments } from "./attachments.ts";
import { Goals } from "./goals.ts";
import { Placements } from "./placements.ts";
import { Projects } from "./projects.ts";
import { Queue } from "./queue.ts";
import { ReadStates } from "./read-states.ts";
import { Sections } from "./sections.ts";
import type { SharedState } from "./shared-state.ts";
import { openState, statePath } from "./state-database.ts";

/** Tables about threads that are not part of them. */
interface Tables {
  readonly db: Database;
  readonly readStates: ReadStates;
  readonly goals: Goals;
  readonly queue: Queue;
  readonly sections: Sections;
  readonly projects: Projects;
  readonly placements: Placements;
  readonly attachments: Attachments;
}

/**
 * A user's data about threads: read marks, goals, queued messages, sections, projects, attachments. It spans threads
 * and changes without loading them, so it is not in their files. Opened on first use; owned by the server's core.
 */
export class UserState {
  readonly #home: string;
  readonly #warn: (problem: string) => void;
  readonly #share: ((db: Database) => SharedState) | undefined;
  #tables: Tables | undefined;
  #shared: SharedState | undefined;

  /** @param share Keeps the tables the same on several servers. Default: they are this home's. */
  constructor(home: string, warn: (problem: string) => void, share?: (db: Database) => SharedState) {
    this.#home = home;
    this.#warn = warn;
    this.#share = share;
  }

  /** The tables; creates the file. */
  get tables(): Tables {
    if (this.#tables) return this.#tables;
    const db = openState(this.#home, this.#warn);
    this.#shared = this.#share?.(db);
    this.#tables = {
      db,
      readStates: new ReadStates(db),
      goals: new Goals(db),
      queue: new Queue(db),
      sections: new Sections(db),
      projects: new Projects(db),
      placements: new Placements(db),
      attachments: new Attachments(db),
    };
    return this.#tables;
  }

  /** The tables if the file exists: reading needs none to be made. */
  get existing(): Tables | undefined {
    return this.#tables ?? (this.#share || existsSync(statePath(this.#home)) ? this.tables : undefined);
  }

  forget(threadId: string): void {
    const db = this.existing?.db;
    if (!db) return;
    db.transaction(() => {
      for (const table of ["read_states", "goals", "queue", "places", "attachments"])
        db.query(`DELETE FROM ${table} WHERE thread = ?`).run(threadId);
    }).immediate();
  }

  /** A promise while something that was changed is not on its way to other servers; `undefined` without any. */
  stored(): Promise<void> | undefined {
    return this.#shared?.stored();
  }

  /** Takes over what other servers have changed. */
  async refresh(): Promise<void> {
    if (!this.#share) return;
    if (this.tables) await this.#shared?.pull();
  }

  async close(): Promise<void> {
    await this.#shared?.close();
    this.#tables?.db.close();
    this.#tables = undefined;
  }
}
