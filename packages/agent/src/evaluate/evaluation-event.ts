import type { TurnEvent } from "@quire/client";
import type { TokenUsage } from "@quire/client/guards";
import type { ToolInvokedEvent } from "../events/canonical.ts";

/**
 * An event of an evaluation: those of its turns, as the client has them, and those that only an agent knows. `lagged`
 * stands for events that this reader was too slow to see.
 */
export type EvaluationEvent =
  | TurnEvent
  /** The prompt is about to be sent, with these tools. */
  | {
      readonly type: "prompt.rendered";
      readonly promptName: string;
      readonly text: string;
      readonly tools: readonly string[];
    }
  /** The thread is there. `isNew` is false for one that was resumed or forked. */
  | { readonly type: "thread.opened"; readonly threadId: string; readonly isNew: boolean }
  /** A tool was called: one of the prompt's, or one of the agent's own. */
  | { readonly type: "tool.invoked"; readonly call: ToolInvokedEvent }
  /** The tokens of the whole evaluation so far. */
  | { readonly type: "usage.updated"; readonly usage: TokenUsage }
  /** The completion checker sends the model back to work with this feedback. */
  | { readonly type: "prompt.continued"; readonly feedback: string };
