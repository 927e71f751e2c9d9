import type { ResponseItem } from "@quire/protocol";
import type { ToolSpec } from "../model/model-provider.ts";
import type { ActiveTurn } from "../thread/active-turn.ts";
import type { Thread } from "../thread/thread.ts";
import { modelInput } from "./model-input.ts";
import { remember } from "./remember.ts";

/** What a model is asked with, and where its answers go. */
export interface Conversation {
  /** All that the model is sent. */
  input(): ResponseItem[];
  /** Adds what was said and done. */
  add(items: readonly ResponseItem[]): void;
  /** What the model may call. */
  tools(): readonly ToolSpec[];
  /** Whether clients see what the model says and thinks. What it does they always see. */
  readonly shown: boolean;
}

/** The thread's own conversation. */
export function threadConversation(thread: Thread, turn: ActiveTurn): Conversation {
  return {
    input: () => modelInput(thread),
    add: (items) => remember(thread, turn, items),
    tools: () => thread.toolbox.specs(thread.settings),
    shown: true,
  };
}
