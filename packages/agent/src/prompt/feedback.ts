import type { Clock } from "../lib/clock.ts";
import type { Deadline } from "../limits/deadline.ts";
import type { Session } from "../session/session.ts";
import type { Filesystem } from "../workspace/filesystem.ts";

/** When a provider is due; several conditions are alternatives. */
export interface FeedbackTrigger {
  /** After so many calls of tools since it was last due. */
  readonly everyCalls?: number | undefined;
  /** After so many seconds since it was last due; the first call counts as due. */
  readonly everySeconds?: number | undefined;
  /** Once, when this file of the workspace is there. */
  readonly whenFileAppears?: string | undefined;
}

/** The context of a feedback provider. */
export interface FeedbackContext {
  readonly session: Session;
  readonly promptName: string;
  readonly toolName: string;
  /** Calls of tools in this session by this prompt, the present one included. */
  readonly calls: number;
  readonly deadline: Deadline | undefined;
  readonly filesystem: Filesystem | undefined;
  readonly clock: Clock;
}

/** Something to tell the model on its way. */
export interface Feedback {
  readonly text: string;
  readonly severity?: "info" | "caution" | "warning" | undefined;
  /** Suggestions for the model. */
  readonly suggestions?: readonly string[] | undefined;
}

/** Tells the model something after some of its tool calls. */
export interface FeedbackProvider {
  readonly name: string;
  readonly triggers: readonly FeedbackTrigger[];
  /** Called when it is due. Nothing means that there is nothing to say. */
  provide(context: FeedbackContext): Feedback | string | undefined | Promise<Feedback | string | undefined>;
}

/** Says the same each time. */
export function staticFeedback(name: string, text: string, triggers: readonly FeedbackTrigger[]): FeedbackProvider {
  return { name, triggers, provide: () => text };
}

/** Options of {@link deadlineFeedback}. */
export interface DeadlineFeedbackOptions {
  /** Below this it becomes a warning with advice. Default 120. */
  readonly warnBelowSeconds?: number | undefined;
  /** Default: every 30 seconds. */
  readonly triggers?: readonly FeedbackTrigger[] | undefined;
}

/** Tells how much time is left. */
export function deadlineFeedback(options: DeadlineFeedbackOptions = {}): FeedbackProvider {
  const { warnBelowSeconds = 120, triggers = [{ everySeconds: 30 }] } = options;
  return {
    name: "deadline",
    triggers,
    provide({ deadline }) {
      if (!deadline) return undefined;
      const seconds = Math.max(0, Math.floor(deadline.remainingMs / 1000));
      if (seconds >= warnBelowSeconds) return `${seconds} seconds are left.`;
      const text = seconds === 0 ? "Time is up." : `Only ${seconds} seconds are left.`;
      return { text, severity: "warning", suggestions: ["Finish what you have.", "Leave out what is not essential."] };
    },
  };
}
