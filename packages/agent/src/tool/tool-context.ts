import type { ToolContext as ClientToolContext } from "@quire/client";
import type { RunContext } from "../events/run-context.ts";
import type { BudgetTracker } from "../limits/budget-tracker.ts";
import type { Deadline } from "../limits/deadline.ts";
import type { Resources } from "../resources/resource-context.ts";
import type { Session } from "../session/session.ts";
import type { Filesystem } from "../workspace/filesystem.ts";

/** The prompt that is evaluated, as a tool sees it. */
export interface EvaluatedPrompt {
  readonly ns: string;
  readonly key: string;
  readonly name: string | null;
  /** Its name in events and errors. */
  readonly eventName: string;
  /** The tag of the overrides in use. */
  readonly tag: string;
}

/** A sign of life of tools that take long. */
export interface Heartbeat {
  beat(): void;
}

/** The call that a tool answers, and the evaluation that it belongs to. */
export interface ToolContext extends ClientToolContext {
  readonly prompt: EvaluatedPrompt;
  /** The prompt as the model got it. */
  readonly renderedPrompt: { readonly text: string };
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
  /** Signals the heartbeat, if there is one. */
  beat(): void;
}
