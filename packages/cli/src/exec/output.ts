import type { ServerNotification, ThreadTokenUsage, Turn } from "@quire/protocol";

/** The thread that a turn runs in, as people are shown it. */
export interface ThreadSummary {
  readonly threadId: string;
  /** Names and values, in the order in which they are printed. */
  readonly settings: readonly (readonly [name: string, value: string])[];
  readonly prompt: string;
}

/** End of a turn. */
export interface TurnEnd {
  readonly turn: Turn;
  /** The agent's last message; undefined unless the turn completed. */
  readonly lastMessage: string | undefined;
  readonly usage: ThreadTokenUsage | undefined;
}

/** Prints a turn while it happens. */
export interface ExecOutput {
  begin(summary: ThreadSummary): void;
  take(notification: ServerNotification): void;
  end(end: TurnEnd): void;
}

/** A summary with its details, as in "Cannot read it (no such file)". */
export function withDetails(summary: string, details: string | null | undefined): string {
  return details ? `${summary} (${details})` : summary;
}
