import type { ResponseItem, ThreadItem } from "@quire/protocol";

/** An item that the model is still producing. */
export class OpenItem {
  readonly startedAtMs: number;
  readonly #item: ThreadItem;
  text = "";
  readonly summary: string[] = [];
  readonly content: string[] = [];

  constructor(item: ThreadItem, startedAtMs: number) {
    this.#item = item;
    this.startedAtMs = startedAtMs;
  }

  /** An item that nothing is known of yet. */
  static empty(id: string, type: "agentMessage" | "reasoning"): ThreadItem {
    if (type === "reasoning") return { type, id, summary: [], content: [] };
    return { type, id, text: "", phase: null, memoryCitation: null, delivery: null, questions: null };
  }

  get id(): string {
    return this.#item.id;
  }

  get type(): ThreadItem["type"] {
    return this.#item.type;
  }

  /** The item with its content so far. */
  asCompleted(): ThreadItem {
    const { startedAtMs } = this;
    if (this.#item.type === "agentMessage") return { ...this.#item, text: this.text, startedAtMs };
    if (this.#item.type === "reasoning")
      return { ...this.#item, summary: whole(this.summary), content: whole(this.content), startedAtMs };
    return { ...this.#item, startedAtMs };
  }

  asResponseItem(): ResponseItem {
    return { type: "message", role: "assistant", id: this.id, content: [{ type: "output_text", text: this.text }] };
  }
}

/** Parts that were left out are empty, not missing. */
function whole(parts: readonly (string | undefined)[]): string[] {
  return Array.from(parts, (part) => part ?? "");
}
