import type { Turn } from "@quire/protocol";
import { runGently } from "../lib/time-slice.ts";
import { newRecord } from "../record/fold.ts";
import { type Fields, fields, text } from "./codex/fields.ts";
import { outlineCodex } from "./outline/codex-outline.ts";
import { outlineOwn } from "./outline/own-outline.ts";
import type { TurnOutline } from "./outline/turn-outline.ts";
import { folding, sessionMeta } from "./read-thread.ts";
import { parseLine, readingRollout } from "./rollout-bytes.ts";
import { isStoredId } from "./rollout-files.ts";
import type { StoredTurns } from "./thread-store.ts";

/** Turns that were found and not read yet. */
export type FoundTurns = Omit<StoredTurns, "all">;

/**
 * Finds the turns of a rollout without reading them: a page of a long thread is a few of thousands. `undefined` for a
 * file that has to be read as a whole.
 */
export async function findTurns(home: string, path: string): Promise<FoundTurns | undefined> {
  try {
    const { bytes } = await runGently(readingRollout(path, home));
    const first = parseLine(bytes, 0, bytes.indexOf("\n"));
    const payload = fields(first?.payload);
    if (first?.type !== "session_meta" || payload.history_base || !isStoredId(text(payload.id))) return undefined;
    const outline = await runGently(payload.quire ? outlineOwn(bytes) : outlineCodex(bytes));
    return new OutlinedTurns(payload, bytes, outline);
  } catch {
    // Whatever it is, it shows again when all is read, or is none of it.
    return undefined;
  }
}

/** Turns whose places are known, and which are read when they are asked for. */
export class OutlinedTurns implements FoundTurns {
  readonly #meta: Fields;
  readonly #bytes: Buffer;
  readonly #outline: TurnOutline;

  constructor(meta: Fields, bytes: Buffer, outline: TurnOutline) {
    this.#meta = meta;
    this.#bytes = bytes;
    this.#outline = outline;
  }

  get count(): number {
    return this.#outline.count;
  }

  indexOf(turnId: string): number {
    return this.#outline.indexOf(turnId);
  }

  read(from: number, to: number): Promise<readonly Turn[]> {
    return runGently(this.#reading(from, to));
  }

  *#reading(from: number, to: number): Generator<undefined, readonly Turn[]> {
    const record = newRecord(sessionMeta(this.#meta), null);
    yield* folding(record, this.#meta, this.#outline.lines(this.#bytes, from, to));
    const at = Array.from({ length: to - from }, (_, n) => this.#outline.id(from + n) ?? "");
    return at.flatMap((id) => record.turns[record.fold.turnIndex.get(id) ?? -1] ?? []);
  }
}

/** The turns of a thread that was read as a whole. */
export function allTurns(turns: readonly Turn[]): StoredTurns {
  return {
    count: turns.length,
    indexOf: (turnId) => turns.findIndex(({ id }) => id === turnId),
    read: async (from, to) => turns.slice(from, to),
    all: async () => turns,
  };
}
