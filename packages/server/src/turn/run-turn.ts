import type { ThreadItem, TurnError, TurnStatus } from "@quire/protocol";
import { errorMessage } from "../lib/error-message.ts";
import { ServerFault } from "../lib/faults.ts";
import { toSeconds } from "../lib/seconds.ts";
import { ModelError } from "../model/model-provider.ts";
import type { NewLine, ThreadEvent } from "../record/rollout-line.ts";
import { event } from "../record/rollout-line.ts";
import { type ActiveTurn, Interrupted } from "../thread/active-turn.ts";
import { continueThread } from "../thread/continue-thread.ts";
import { nextSettings } from "../thread/next-settings.ts";
import type { Thread } from "../thread/thread.ts";
import { addHistory } from "./add-history.ts";
import { CompactionFailed } from "./compaction.ts";
import { CutShort } from "./response-run.ts";
import { assumeContext, countUsage, notifyUsage } from "./usage.ts";

/** The work of a turn between its beginning and its end. */
export type TurnWork = (thread: Thread, turn: ActiveTurn) => Promise<void>;

interface End {
  readonly status: Exclude<TurnStatus, "inProgress">;
  readonly error: TurnError | null;
}

/** Runs a turn to its end, whatever that is. The thread must have been begun for writing. Never rejects. */
export async function runTurn(thread: Thread, turn: ActiveTurn, work: TurnWork): Promise<void> {
  finish(thread, turn, await endOf(thread, turn, work));
}

async function endOf(thread: Thread, turn: ActiveTurn, work: TurnWork): Promise<End> {
  try {
    begin(thread, turn);
    await work(thread, turn);
    return { status: "completed", error: null };
  } catch (thrown) {
    return afterFailure(thread, turn, thrown);
  } finally {
    thread.finishDiff(turn.id);
  }
}

function begin(thread: Thread, turn: ActiveTurn): void {
  turn.startedAtMs = Date.now();
  const started: NewLine[] = [
    { type: "thread_event", payload: { kind: "settings", settings: nextSettings(thread).settings } },
    {
      type: "thread_event",
      payload: { kind: "turn_started", turnId: turn.id, startedAtMs: turn.startedAtMs, rootTurnId: turn.rootTurnId },
    },
  ];
  thread.write(started);
  thread.setStatus({ type: "active", activeFlags: [] });
  thread.notify("turn/started", { threadId: thread.id, turn: turn.toWire(toSeconds(turn.startedAtMs)) });
}

/** Reports the end in any case, even when it cannot be stored. */
function finish(thread: Thread, turn: ActiveTurn, end: End): void {
  const completedAtMs = Date.now();
  // A clock may be set back meanwhile.
  const durationMs = Math.max(0, completedAtMs - turn.startedAtMs);
  const { status, error } = storeEnd(thread, end, { turnId: turn.id, completedAtMs, durationMs });
  thread.active = undefined;
  if (turn.next) {
    thread.settings = turn.next.settings;
    thread.config = turn.next.config;
  }
  thread.endWriting();
  const last = lastMessage(thread, turn.id);
  const { features } = thread;
  const ending = { status, error, answered: last !== undefined, continues: false };
  features.atEnd("ending", turn, ending);
  const turnEnd = { ...ending, continues: features.continues(ending) };
  if (!error) features.atEnd("end", turn, turnEnd);
  thread.setStatus(error ? { type: "systemError" } : { type: "idle" });
  if (error) {
    thread.notify("error", { threadId: thread.id, turnId: turn.id, willRetry: false, error });
    features.atEnd("end", turn, turnEnd);
  }
  thread.notify("turn/completed", {
    threadId: thread.id,
    turn: {
      ...turn.toWire(toSeconds(turn.startedAtMs)),
      items: last ? [last] : [],
      itemsView: last ? "summary" : "notLoaded",
      status,
      error,
      completedAt: toSeconds(completedAtMs),
      durationMs,
    },
  });
  if (status !== "interrupted") continueThread(thread, turnEnd);
}

type TurnCompleted = Extract<ThreadEvent, { readonly kind: "turn_completed" }>;

/** Stores the end. A turn whose end cannot be stored has failed; a later server reads it as interrupted. */
function storeEnd(thread: Thread, end: End, about: Omit<TurnCompleted, "kind" | keyof End>): End {
  try {
    thread.event({ kind: "turn_completed", ...about, ...end });
    return end;
  } catch (problem) {
    thread.core.server.log.error(`the end of turn ${about.turnId} could not be stored`, problem);
    const failed = { status: "failed", error: end.error ?? turnError(thread, problem) } as const;
    thread.take([event({ kind: "turn_completed", ...about, ...failed })]);
    return failed;
  }
}

async function afterFailure(thread: Thread, turn: ActiveTurn, thrown: unknown): Promise<End> {
  try {
    const end = failure(thread, turn, thrown);
    if (end.status === "interrupted") await thread.features.interrupted(turn);
    return end;
  } catch (error) {
    return { status: "failed", error: turnError(thread, error) };
  }
}

function failure(thread: Thread, turn: ActiveTurn, thrown: unknown): End {
  const error = thrown instanceof CutShort ? thrown.cause : thrown;
  const produced = thrown instanceof CutShort ? thrown.produced : [];
  if (turn.signal.reason instanceof ServerFault)
    return { status: "failed", error: turnError(thread, turn.signal.reason) };
  if (turn.signal.aborted || error instanceof Interrupted) {
    addHistory(thread, turn, [...produced, thread.core.prompts.interrupted]);
    return { status: "interrupted", error: null };
  }
  addHistory(thread, turn, produced);
  if (error instanceof ModelError && error.result) countUsage(thread, turn.id, error.result);
  return { status: "failed", error: turnError(thread, error) };
}

function turnError(thread: Thread, error: unknown): TurnError {
  const cause = error instanceof CompactionFailed ? error.cause : error;
  if (cause instanceof ModelError) {
    if (cause.info === "contextWindowExceeded") markFull(thread);
    return { message: cause.message, codexErrorInfo: cause.info, additionalDetails: cause.details, misalignment: null };
  }
  thread.core.server.log.warn("a turn failed", cause);
  const message = errorMessage(cause);
  return { message, codexErrorInfo: "other", additionalDetails: null, misalignment: null };
}

/** A history that did not fit counts as filling the window, so that the next turn compacts it first. */
function markFull(thread: Thread): void {
  const { contextWindow } = thread.config;
  const turnId = thread.active?.id;
  if (contextWindow === null || turnId === undefined) return;
  assumeContext(thread, turnId, contextWindow);
  notifyUsage(thread, turnId);
}

function lastMessage(thread: Thread, turnId: string): ThreadItem | undefined {
  const turn = thread.record.turns.at(-1);
  return turn?.id === turnId
    ? turn.items.findLast((item) => item.type === "agentMessage" && item.text !== "")
    : undefined;
}
