import type { Database } from "bun:sqlite";
import type { ThreadGoal, ThreadGoalStatus } from "@quire/protocol";
import { toSeconds } from "../lib/seconds.ts";

interface Row {
  readonly thread: string;
  readonly objective: string;
  readonly status: ThreadGoalStatus;
  readonly budget: number | null;
  readonly tokens: number;
  readonly time_ms: number;
  readonly created: number;
  readonly updated: number;
}

/** Changes of a goal; omitted fields stay. */
export interface GoalChange {
  readonly objective?: string | undefined;
  readonly status?: ThreadGoalStatus | undefined;
  readonly tokenBudget?: number | null | undefined;
}

/** Goals of threads, one per thread. */
export class Goals {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get(threadId: string): ThreadGoal | null {
    const row = this.#db.query<Row, [string]>("SELECT * FROM goals WHERE thread = ?").get(threadId);
    return row ? goalOf(row) : null;
  }

  /** Replaces any earlier goal. */
  create(threadId: string, objective: string, change: GoalChange): ThreadGoal {
    const now = toSeconds(Date.now());
    this.#db
      .query("INSERT OR REPLACE INTO goals VALUES (?, ?, ?, ?, 0, 0, ?, ?)")
      .run(threadId, objective, change.status ?? "active", change.tokenBudget ?? null, now, now);
    return this.get(threadId) as ThreadGoal;
  }

  /** A goal without remaining budget cannot be made active. */
  update(goal: ThreadGoal, change: GoalChange): ThreadGoal {
    const tokenBudget = change.tokenBudget === undefined ? (goal.tokenBudget ?? null) : change.tokenBudget;
    const wanted = change.status ?? goal.status;
    const spent = tokenBudget !== null && goal.tokensUsed >= tokenBudget;
    this.#db
      .query("UPDATE goals SET objective = ?, status = ?, budget = ?, updated = ? WHERE thread = ?")
      .run(
        change.objective ?? goal.objective,
        wanted === "active" && spent ? "budgetLimited" : wanted,
        tokenBudget,
        toSeconds(Date.now()),
        goal.threadId,
      );
    return this.get(goal.threadId) as ThreadGoal;
  }

  /** Adds spending. An active goal without remaining budget becomes limited. */
  spend(threadId: string, tokens: number, ms: number): ThreadGoal | null {
    const sql = `UPDATE goals SET tokens = tokens + ?1, time_ms = time_ms + ?2, updated = ?3,
      status = CASE WHEN status = 'active' AND tokens + ?1 >= budget THEN 'budgetLimited' ELSE status END
      WHERE thread = ?4`;
    this.#db.query(sql).run(tokens, ms, toSeconds(Date.now()), threadId);
    return this.get(threadId);
  }

  /** False when there was none. */
  clear(threadId: string): boolean {
    return this.#db.query("DELETE FROM goals WHERE thread = ?").run(threadId).changes > 0;
  }
}

function goalOf(row: Row): ThreadGoal {
  return {
    threadId: row.thread,
    objective: row.objective,
    status: row.status,
    tokenBudget: row.budget,
    tokensUsed: row.tokens,
    timeUsedSeconds: toSeconds(row.time_ms),
    createdAt: row.created,
    updatedAt: row.updated,
  };
}
