import type { ThreadRealtimeItem } from "@quire/protocol";
import type { Thread } from "../../thread/thread.ts";

/** A speaker. */
export type Speaker = "user" | "assistant";

/** A spoken line. */
export interface Line {
  readonly role: Speaker;
  readonly text: string;
}

/** Kept lines; a long talk without work loses its beginning. */
const maxLines = 1000;

/** The transcript of a session: sends it to clients piece by piece, and keeps what has not been delegated yet. */
export class Transcript {
  readonly #thread: Thread;
  readonly #sessionId: string;
  #lines: Line[] = [];
  #segment: (Line & { readonly id: string }) | undefined;

  constructor(thread: Thread, sessionId: string) {
    this.#thread = thread;
    this.#sessionId = sessionId;
  }

  addDelta(role: Speaker, delta: string): void {
    const { id: threadId } = this.#thread;
    if (this.#segment?.role !== role) {
      this.endSegment();
      this.#segment = { id: Bun.randomUUIDv7(), role, text: "" };
      this.#thread.notify("thread/realtime/item/started", { threadId, item: this.#shown(this.#segment) });
    }
    const segment = this.#segment;
    this.#segment = { ...segment, text: segment.text + delta };
    const last = this.#lines.at(-1);
    this.#note(role, last?.role === role ? last.text + delta : delta);
    this.#thread.notify("thread/realtime/item/transcript/delta", { threadId, itemId: segment.id, delta });
    this.#thread.notify("thread/realtime/transcript/delta", { threadId, role, delta });
  }

  /** The complete text of a line, in place of its pieces. */
  setLine(role: Speaker, text: string): void {
    if (this.#segment?.role === role) this.endSegment();
    this.#note(role, text);
    this.#thread.notify("thread/realtime/transcript/done", { threadId: this.#thread.id, role, text });
  }

  endSegment(): void {
    if (this.#segment === undefined) return;
    const item = this.#shown(this.#segment);
    this.#segment = undefined;
    this.#thread.notify("thread/realtime/item/completed", { threadId: this.#thread.id, item });
  }

  /** Lines since work was last delegated, up to the words that delegate. */
  take(input: string): readonly Line[] {
    const lines = [...this.#lines, { role: "user" as const, text: input }];
    this.#lines = [];
    return lines;
  }

  #note(role: Speaker, text: string): void {
    if (this.#lines.at(-1)?.role === role) this.#lines.pop();
    this.#lines.push({ role, text });
    if (this.#lines.length > maxLines) this.#lines.shift();
  }

  #shown({ id, role, text }: Line & { readonly id: string }): ThreadRealtimeItem {
    return { type: "transcriptSegment", id, realtimeSessionId: this.#sessionId, role, text };
  }
}
