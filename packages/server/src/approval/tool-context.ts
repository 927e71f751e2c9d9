import type {
  CommandExecutionThreadItem,
  ServerNotifications,
  ServerRequests,
  ThreadActiveFlag,
  ThreadItem,
} from "@quire/protocol";
import type { TurnSettings } from "../record/turn-settings.ts";
import type { Approvals } from "./approvals.ts";

/** The part of a thread that a call may use. */
export interface ToolContext {
  readonly threadId: string;
  readonly turnId: string;
  /** As of the call. */
  readonly settings: TurnSettings;
  /** Aborted when the turn is interrupted or the thread closes. */
  readonly signal: AbortSignal;
  /** Stores an item and announces it. The caller must complete it in any case. */
  startItem(item: ThreadItem): void;
  completeItem(item: ThreadItem): void;
  /** Notifies all subscribers; for deltas, which are not stored. `threadId` and `turnId` are filled in. */
  notify<M extends keyof ServerNotifications>(
    method: M,
    params: Omit<ServerNotifications[M], "threadId" | "turnId">,
  ): void;
  /** Asks the subscribers; the first answer wins, the others are withdrawn. Rejects when the signal aborts. */
  ask<M extends keyof ServerRequests>(
    method: M,
    params: Omit<ServerRequests[M]["params"], "threadId" | "turnId">,
  ): Promise<ServerRequests[M]["result"]>;
  /** Asks the user's hooks for a permission first; left out when there are none. */
  permit?(asked: {
    readonly callId: string;
    readonly name: string;
    readonly input: object;
  }): Promise<{ readonly allows: boolean; readonly refusal: string | undefined } | undefined>;
  readonly approvals: Approvals;
  /** Marks the thread as waiting until the returned function is called, which is idempotent. */
  hold(flag: ThreadActiveFlag): () => void;
  /** Settles when the time of commands runs again; `undefined` or left out while it runs. */
  paused?(): Promise<void> | undefined;
  /** True when the turn has ended: nobody expects questions of it any more. */
  isOver?(): boolean;
  /** Adds a remark for the model, after the outputs of its calls. */
  remark(text: string): void;
  /** Ends the turn soon; the signal aborts at once. */
  interrupt(why: string): void;
  /** Completes an item that outlived its turn, such as a command left running. */
  completeLate(item: CommandExecutionThreadItem): void;
}

/** A failure whose message is the output for the model. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}
