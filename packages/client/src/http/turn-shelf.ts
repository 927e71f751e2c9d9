import type { TurnResult } from "../turn/turn-result.ts";
import type { TurnStream } from "../turn/turn-stream.ts";

/** A turn that was started over HTTP, kept so that a lost connection can take it up again. */
export interface ShelvedTurn {
  readonly id: string;
  readonly threadId: string;
  /** The user who started it. */
  readonly user: string;
  readonly turn: TurnStream<TurnResult>;
}

/** The time for which a turn is kept after its end. */
const keepMs = 5 * 60_000;
/** The most turns that are kept; the oldest that have ended go first. */
const maxKept = 1000;

/** Turns that run and those that have just ended. */
export class TurnShelf {
  readonly #turns = new Map<string, ShelvedTurn & { endedAt: number }>();

  /** Keeps a turn from now until some time after its end. */
  add(entry: ShelvedTurn): void {
    this.#sweep();
    const kept = { ...entry, endedAt: Number.POSITIVE_INFINITY };
    this.#turns.set(key(entry.threadId, entry.id), kept);
    const end = () => {
      kept.endedAt = Date.now();
    };
    entry.turn.result.then(end, end);
  }

  /** Finds a turn. */
  find(threadId: string, id: string): ShelvedTurn | undefined {
    this.#sweep();
    return this.#turns.get(key(threadId, id));
  }

  /** The number of a user's turns that have not ended. */
  runningOf(user: string): number {
    return [...this.#turns.values()].filter((turn) => turn.user === user && !Number.isFinite(turn.endedAt)).length;
  }

  /** The turn of a thread that was started last and has not ended. */
  running(threadId: string): ShelvedTurn | undefined {
    const open = [...this.#turns.values()].filter(
      (turn) => turn.threadId === threadId && !Number.isFinite(turn.endedAt),
    );
    return open.at(-1);
  }

  #sweep(): void {
    const oldest = Date.now() - keepMs;
    for (const [name, { endedAt }] of this.#turns) {
      const isOver = Number.isFinite(endedAt);
      if (isOver && (endedAt < oldest || this.#turns.size > maxKept)) this.#turns.delete(name);
    }
  }
}

const key = (threadId: string, id: string): string => `${threadId} ${id}`;
