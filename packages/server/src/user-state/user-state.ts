import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { Attachments } from "./attachments.ts";
import { Goals } from "./goals.ts";
import { Placements } from "./placements.ts";
import { Projects } from "./projects.ts";
import { Queue } from "./queue.ts";
import { ReadStates } from "./read-states.ts";
import { Sections } from "./sections.ts";
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
  #tables: Tables | undefined;

  constructor(home: string, warn: (problem: string) => void) {
    this.#home = home;
    this.#warn = warn;
  }

  /** The tables; creates the file. */
  get tables(): Tables {
    if (this.#tables) return this.#tables;
    const db = openState(this.#home, this.#warn);
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
    return this.#tables ?? (existsSync(statePath(this.#home)) ? this.tables : undefined);
  }

  forget(threadId: string): void {
    const db = this.existing?.db;
    if (!db) return;
    db.transaction(() => {
      for (const table of ["read_states", "goals", "queue", "places", "attachments"])
        db.query(`DELETE FROM ${table} WHERE thread = ?`).run(threadId);
    }).immediate();
  }

  close(): void {
    this.#tables?.db.close();
    this.#tables = undefined;
  }
}
