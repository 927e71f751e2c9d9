import type { NotificationMessage } from "@quire/jsonrpc";

/** Characters of all frames that are kept for one hub; the turn noted first is dropped first. */
const defaultKept = 8 * 1024 * 1024;
/** Characters of the largest frame that is kept. A diff beyond it can be put together from the turn's changes. */
const largest = 1024 * 1024;

/** Characters of what a turn and a note are called; no server has longer names. */
const longestName = 1000;

/** Frames of one turn, by slot. */
interface Notes {
  readonly threadId: string;
  readonly frames: Map<string, string>;
  size: number;
}

/**
 * Plan, diff, usage and hook runs of turns: servers send these once and do not store them. A page that opens the thread
 * later gets them again, so that a reload loses nothing.
 */
export class TurnNotes {
  readonly #turns = new Map<string, Notes>();
  readonly #kept: number;
  #size = 0;

  constructor(kept: number = defaultKept) {
    this.#kept = kept;
  }

  /** Keeps a message in its slot; `frame` is its form for pages. */
  take({ method, params }: NotificationMessage, frame: string): void {
    const slot = slotOf(method, params);
    const { threadId, turnId } = (params ?? {}) as { threadId?: unknown; turnId?: unknown };
    if (slot === undefined || typeof threadId !== "string" || typeof turnId !== "string") return;
    if (threadId.length + turnId.length + slot.length > longestName) return;
    const key = `${threadId} ${turnId}`;
    const notes = this.#turns.get(key) ?? { threadId, frames: new Map<string, string>(), size: 0 };
    if (!this.#turns.has(key)) {
      // What holds the turn counts too, also where nothing of it is kept.
      this.#turns.set(key, notes);
      notes.size = key.length;
      this.#size += notes.size;
    }
    // The first report says with what the turn began, the last what it came to.
    if (slot === "usage" && !notes.frames.has("usage at first")) this.#put(notes, "usage at first", frame);
    else this.#put(notes, slot, frame);
    this.#trim();
  }

  /** All frames of a thread, turn by turn. */
  of(threadId: string): string[] {
    return [...this.#turns.values()].flatMap((notes) =>
      notes.threadId === threadId ? [...notes.frames.values()] : [],
    );
  }

  /** Forgets a deleted thread. */
  forget(threadId: string): void {
    for (const [key, notes] of this.#turns) if (notes.threadId === threadId) this.#drop(key, notes);
  }

  #put(notes: Notes, slot: string, frame: string): void {
    // An outdated note would be worse than none.
    const kept = frame.length > largest ? "" : frame;
    const grown = kept.length - (notes.frames.get(slot)?.length ?? 0);
    if (kept === "") notes.frames.delete(slot);
    else notes.frames.set(slot, kept);
    notes.size += grown;
    this.#size += grown;
  }

  #trim(): void {
    for (const [key, notes] of this.#turns) {
      if (this.#size <= this.#kept) return;
      this.#drop(key, notes);
    }
  }

  #drop(key: string, notes: Notes): void {
    this.#turns.delete(key);
    this.#size -= notes.size;
  }
}

/**
 * The slot in which a later message replaces an earlier one; `undefined` for messages that servers store, or that
 * nobody needs again.
 */
function slotOf(method: string, params: unknown): string | undefined {
  switch (method) {
    case "turn/plan/updated":
      return "plan";
    case "turn/diff/updated":
      return "diff";
    case "thread/tokenUsage/updated":
      return "usage";
    case "hook/started":
    case "hook/completed": {
      const { run } = (params ?? {}) as { run?: { id?: unknown; startedAt?: unknown } };
      return `hook ${String(run?.id)} ${String(run?.startedAt)}`;
    }
    default:
      return undefined;
  }
}
