import type { RunError } from "./run-error.ts";

/** Columns of the board, from left to right. */
export const columnNames = ["waiting", "running", "retrying", "blocked", "review", "finished"] as const;

/** Column of the board: what becomes of an issue next. */
export type ColumnName = (typeof columnNames)[number];

/** An issue on the board. */
export interface Card {
  readonly issueId: string;
  readonly identifier: string;
  readonly title: string;
  readonly url: string | null;
  /** The issue's state in the tracker, as last seen. */
  readonly state: string;
  readonly priority: number | null;
  readonly column: ColumnName;
  /** Place in the order in which waiting issues begin, from 1; null for what is held back, and elsewhere. */
  readonly position: number | null;
  /** Why it waits, what it waits for, or what went wrong. */
  readonly reason: string | null;
  readonly runs: number;
  readonly turns: number;
  readonly tokens: number;
  /** US dollars over all rounds; null where nobody knows the prices. */
  readonly usd: number | null;
  readonly threadId: string | null;
  readonly host: string | null;
  readonly pullUrl: string | null;
  readonly checks: "none" | "pending" | "passed" | "failed";
  readonly review: "none" | "approved" | "changes_requested";
  /** When it came here, in ms since 1970; null where that is not known. */
  readonly since: number | null;
}

/** A column as far as it was asked for. */
export interface Column {
  readonly name: ColumnName;
  /** All that match. */
  readonly count: number;
  /** The first of them. */
  readonly cards: readonly Card[];
}

/** The part of the board that somebody looks at. */
export interface BoardQuery {
  /** Words that identifier, title or state have; empty for all. */
  readonly search: string;
  /** Cards of each column at most. */
  readonly limit: number;
  /** Other limits of some columns. */
  readonly limits?: Readonly<Partial<Record<ColumnName, number>>> | undefined;
}

/** A person's change of what becomes of an issue. */
export type BoardAction =
  /** The commit that is pushed now may be merged. */
  | { readonly name: "approve" }
  /** Its pull request goes back to the agent with these words. */
  | { readonly name: "rework"; readonly text: string }
  /** A blocked issue goes on, on its thread, with these words. */
  | { readonly name: "answer"; readonly text: string }
  /** 1 is the most urgent; null gives the tracker's own back. */
  | { readonly name: "priority"; readonly priority: number | null };

/** Result of an action; an error tells why not. */
export type ActionResult = RunError | undefined;
