import type { RunContext } from "../events/run-context.ts";
import type { BudgetTracker } from "../limits/budget-tracker.ts";
import type { Deadline } from "../limits/deadline.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { RenderedPrompt } from "../prompt/rendered-prompt.ts";
import type { Resources } from "../prompt/resources/resource-context.ts";
import type { Session } from "../session/session.ts";
import type { Filesystem } from "../workspace/filesystem.ts";

/** Told that work goes on, by tools that take long. */
export interface Heartbeat {
  beat(): void;
}

/** What a tool's handler knows of the call that it answers. */
export interface ToolContext {
  readonly prompt: Prompt;
  readonly renderedPrompt: RenderedPrompt;
  /** The name under which the evaluation appears in events. */
  readonly adapter: string;
  readonly session: Session;
  readonly deadline: Deadline | undefined;
  readonly budgetTracker: BudgetTracker | undefined;
  readonly heartbeat: Heartbeat | undefined;
  readonly runContext: RunContext | undefined;
  /** The prompt's resources, and those of this call. */
  readonly resources: Resources;
  /** The files to work on, where the prompt has some. */
  readonly filesystem: Filesystem | undefined;
  /** Aborted when nobody waits for the result any more: time is up, or the turn or the whole program ends. */
  readonly signal: AbortSignal;
  readonly callId: string | null;
  /** Tells the heartbeat, if there is one, that work goes on. */
  beat(): void;
}
