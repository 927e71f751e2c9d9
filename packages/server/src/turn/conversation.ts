import type { ResponseItem } from "@quire/protocol";
import type { ToolSpec } from "../model/model-provider.ts";
import type { ActiveTurn } from "../thread/active-turn.ts";
import type { Thread } from "../thread/thread.ts";
import { addHistory } from "./add-history.ts";
import { modelInput } from "./model-input.ts";
import { offerTools } from "./offered-tools.ts";
import type { ModelRole } from "./route.ts";
import { sendContext } from "./send-context.ts";

/** The input of a model and the place for its output. */
export interface Conversation {
  input(): ResponseItem[];
  add(items: readonly ResponseItem[]): void;
  tools(): readonly ToolSpec[];
  /** Work with a model of its own, if the configuration has one. */
  readonly role?: ModelRole | undefined;
  /** True when clients see the model's messages and reasoning. They always see its actions. */
  readonly shown: boolean;
}

/** The thread's own conversation. */
export function threadConversation(thread: Thread, turn: ActiveTurn): Conversation {
  return {
    input: () => {
      sendContext(thread, turn);
      return modelInput(thread);
    },
    add: (items) => addHistory(thread, turn, items),
    tools: () => offerTools(thread),
    shown: true,
  };
}
