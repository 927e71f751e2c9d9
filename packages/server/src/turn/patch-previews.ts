import type { CustomToolCallResponseItem, ResponseItem } from "@quire/protocol";
import { isSwitchedOn } from "../config/feature-flags.ts";
import { PatchPreview } from "../patch/patch-preview.ts";
import type { ActiveTurn } from "../thread/active-turn.ts";
import type { Thread } from "../thread/thread.ts";

/** The patches of a response while they stream. */
export class PatchPreviews {
  readonly #thread: Thread;
  readonly #turn: ActiveTurn;
  readonly #open = new Map<string, PatchPreview>();

  constructor(thread: Thread, turn: ActiveTurn) {
    this.#thread = thread;
    this.#turn = turn;
  }

  /** True when clients want incomplete patches. */
  static wanted(thread: Thread): boolean {
    return isSwitchedOn(thread.config.raw, "apply_patch_streaming_events");
  }

  added(item: ResponseItem): void {
    if (!isPatch(item)) return;
    const ids = { threadId: this.#thread.id, turnId: this.#turn.id, itemId: item.call_id };
    const tell = (changes: Parameters<ConstructorParameters<typeof PatchPreview>[0]>[0]) =>
      this.#thread.notify("item/fileChange/patchUpdated", { ...ids, changes });
    this.#open.set(item.id ?? item.call_id, new PatchPreview(tell));
  }

  delta(itemId: string, callId: string | null, delta: string): void {
    (this.#open.get(itemId) ?? this.#open.get(callId ?? ""))?.push(delta);
  }

  done(item: ResponseItem): void {
    if (!isPatch(item)) return;
    const key = item.id ?? item.call_id;
    this.#open.get(key)?.end(item.input);
    this.#open.delete(key);
  }
}

function isPatch(item: ResponseItem): item is CustomToolCallResponseItem {
  return item.type === "custom_tool_call" && item.name === "apply_patch";
}
