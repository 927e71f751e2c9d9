import type { TurnEvent } from "./turn-event.ts";

/** Events packed together: a power of two, so that an index tells its block. */
const blockBits = 8;
const blockSize = 1 << blockBits;
/**
 * About 10,000 events are kept for consumers that come late or fall behind. Beyond it the older half is released; what stays
 * must be more than a Connection delivers in one burst (4,096), or a consumer that keeps up would miss events.
 */
const maxBlocks = 40;

/** A block of nothing but pieces of one agent's message: the text, and where each piece ends. */
interface PackedDeltas {
  readonly itemId: string;
  readonly text: string;
  readonly ends: readonly number[];
}

/**
 * The events of a turn, of late. A long answer is very many pieces of text; they are kept as that text, not as an event
 * each. Thousands of small objects that live for a while are what a garbage collector has to work on most.
 */
export class EventLog {
  readonly #threadId: string;
  readonly #turnId: string;
  /** Index of the first event that is still kept. */
  #base = 0;
  #blocks: (readonly TurnEvent[] | PackedDeltas)[] = [];
  /** The block that is being filled: pieces of one item while there is nothing else in it, else events. */
  #itemId: string | undefined;
  #pieces: string[] = [];
  #events: TurnEvent[] = [];

  constructor(threadId: string, turnId: string) {
    this.#threadId = threadId;
    this.#turnId = turnId;
  }

  /** Takes an event. */
  push(event: TurnEvent): void {
    if (this.#pieces.length > 0) this.#unpack();
    this.#events.push(event);
    if (this.#events.length === blockSize) this.#seal(this.#events);
  }

  /** Takes pieces of an agent's message. */
  pushDeltas(itemId: string, deltas: readonly string[]): void {
    if (this.#events.length > 0 || (this.#itemId !== itemId && this.#pieces.length > 0)) {
      for (const delta of deltas) this.push(this.#deltaEvent(itemId, delta));
      return;
    }
    this.#itemId = itemId;
    for (let at = 0; at < deltas.length; ) {
      const fitting = deltas.slice(at, at + blockSize - this.#pieces.length);
      this.#pieces.push(...fitting);
      at += fitting.length;
      if (this.#pieces.length === blockSize) this.#seal(pack(itemId, this.#pieces));
    }
  }

  /**
   * Events from this index on, up to a block of them; none where there is no more yet. Or how many were released before the
   * oldest that is left.
   */
  from(index: number): readonly TurnEvent[] | number {
    const offset = index - this.#base;
    if (offset < 0) return -offset;
    const block = this.#blocks[offset >> blockBits];
    const within = offset & (blockSize - 1);
    if (block === undefined) {
      if (this.#pieces.length === 0) return this.#events.slice(within);
      return this.#pieces.slice(within).map((piece) => this.#deltaEvent(this.#itemId ?? "", piece));
    }
    return "ends" in block ? this.#unpacked(block, within) : block.slice(within);
  }

  #unpacked({ itemId, text, ends }: PackedDeltas, from: number): TurnEvent[] {
    const events: TurnEvent[] = [];
    let start = ends[from - 1] ?? 0;
    for (let at = from; at < ends.length; at++) {
      const end = ends[at] as number;
      events.push(this.#deltaEvent(itemId, text.slice(start, end)));
      start = end;
    }
    return events;
  }

  #deltaEvent(itemId: string, delta: string): TurnEvent {
    return { type: "agentMessage.delta", threadId: this.#threadId, turnId: this.#turnId, itemId, delta };
  }

  #unpack(): void {
    for (const piece of this.#pieces) this.#events.push(this.#deltaEvent(this.#itemId ?? "", piece));
    this.#pieces = [];
  }

  #seal(block: readonly TurnEvent[] | PackedDeltas): void {
    this.#events = [];
    this.#pieces = [];
    this.#blocks.push(block);
    if (this.#blocks.length <= maxBlocks) return;
    const dropped = maxBlocks >> 1;
    this.#blocks = this.#blocks.slice(dropped);
    this.#base += dropped * blockSize;
  }
}

function pack(itemId: string, pieces: readonly string[]): PackedDeltas {
  const ends: number[] = [];
  let end = 0;
  for (const piece of pieces) {
    end += piece.length;
    ends.push(end);
  }
  return { itemId, text: pieces.join(""), ends };
}
