import type {
  CommandExecutionThreadItem,
  ServerNotifications,
  ServerRequests,
  ThreadActiveFlag,
  ThreadItem,
} from "@quire/protocol";
import type { TurnSettings } from "../record/turn-settings.ts";
import type { Approvals } from "./approvals.ts";

/** What a call may use of its thread. */
export interface ToolContext {
  readonly threadId: string;
  readonly turnId: string;
  /** Settings when the call was made. */
  readonly settings: TurnSettings;
  /** Aborted when the turn is interrupted or the thread closes. */
  readonly signal: AbortSignal;
  /** Stores an item and announces it. Whoever starts an item completes it, whatever happens. */
  startItem(item: ThreadItem): void;
  completeItem(item: ThreadItem): void;
  /** Tells all subscribers; for deltas, which are not stored. `threadId` and `turnId` are filled in. */
  notify<M extends keyof ServerNotifications>(
    method: M,
    params: Omit<ServerNotifications[M], "threadId" | "turnId">,
  ): void;
  /** Asks the subscribers; the first answer wins, the others are withdrawn. Rejects when the signal aborts. */
  ask<M extends keyof ServerRequests>(
    method: M,
    params: Omit<ServerRequests[M]["params"], "threadId" | "turnId">,
  ): Promise<ServerRequests[M]["result"]>;
  /** Asks the user's hooks for a permission before anybody else is; left out where there are none. */
  permit?(asked: {
    readonly callId: string;
    readonly name: string;
    readonly input: object;
  }): Promise<{ readonly allows: boolean; readonly refusal: string | undefined } | undefined>;
  /** What decides over what is asked. */
  readonly approvals: Approvals;
  /** Says that the thread waits for somebody, until the returned function is called; calling it again does nothing. */
  hold(flag: ThreadActiveFlag): () => void;
  /** Settles when the time of commands runs again; `undefined` or left out while it runs. */
  paused?(): Promise<void> | undefined;
  /** Whether the turn has ended: nobody expects questions of it any more. */
  isOver?(): boolean;
  /** Tells the model something beside the outputs of its calls; it comes after them. */
  remark(text: string): void;
  /** Ends the turn soon; the signal aborts at once. */
  interrupt(why: string): void;
  /** An item of this thread that outlived its turn, such as a command left running, has ended. */
  completeLate(item: CommandExecutionThreadItem): void;
}

/** A failure the model is told in exactly these words. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}
