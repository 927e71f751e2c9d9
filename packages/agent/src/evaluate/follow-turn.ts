import type { ThreadHandle, TurnHandle, TurnResult } from "@quire/client";
import type { Clock } from "../lib/clock.ts";
import type { EvaluationLimits } from "./evaluation-limits.ts";
import type { AgentLink } from "./server-link.ts";

/** Options of following a turn. */
export interface FollowOptions {
  readonly link: AgentLink;
  readonly limits: EvaluationLimits;
  readonly clock: Clock;
  /** The time that the server has to end a turn after an interrupt. */
  readonly interruptGraceMs: number;
}

/** A turn was made to end early. What it had said by then is in `text`. */
export class TurnStopped extends Error {
  override readonly name: string = "TurnStopped";
  readonly text: string;

  constructor(text: string) {
    super("The turn was stopped");
    this.text = text;
  }
}

/**
 * Waits for the end of a turn. When the evaluation has to end early the turn is interrupted; a server that does not heed
 * it within its time is killed. Rejects with {@link TurnStopped} then.
 */
export async function followTurn(
  thread: ThreadHandle,
  start: (thread: ThreadHandle) => TurnHandle,
  options: FollowOptions,
): Promise<TurnResult> {
  const { limits } = options;
  // A turn that would be stopped at once is not started.
  if (limits.signal.aborted) throw new TurnStopped("");
  const turn = start(thread);
  const ended = turn.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  // A turn whose start was answered in the very moment in which the connection ended might never hear of that.
  const outcome = Promise.race([ended, options.link.lost.then((error) => ({ error }))]);
  const first = await limits.guard(outcome).catch(() => undefined);
  if (limits.signal.aborted) {
    await stopTurn(turn, outcome, options);
    throw new TurnStopped(await Promise.race([partialText(turn), options.link.lost.then(() => "")]));
  }
  if (first && "result" in first) return first.result;
  throw first?.error;
}

async function stopTurn(turn: TurnHandle, outcome: Promise<unknown>, options: FollowOptions): Promise<void> {
  const { clock, interruptGraceMs, link } = options;
  let cancel = () => {};
  const late = new Promise<"late">((resolve) => {
    cancel = clock.setTimeout(() => resolve("late"), interruptGraceMs);
  });
  // Whether the request is answered does not matter: what counts is that the turn ends.
  void turn.interrupt().catch(() => undefined);
  const verdict = await Promise.race([outcome, late]);
  cancel();
  if (verdict !== "late") return;
  await link.close();
  await outcome;
}

/** The model's text, from the events that were kept. */
async function partialText(turn: TurnHandle): Promise<string> {
  let text = "";
  let speaking = "";
  try {
    for await (const event of turn) {
      if (event.type === "agentMessage.delta") {
        text = speaking === event.itemId ? text + event.delta : event.delta;
        speaking = event.itemId;
      } else if (event.type === "item.completed" && event.item.type === "agentMessage") {
        text = event.item.text;
      }
    }
  } catch {
    // The connection ended in the middle of it.
  }
  return text;
}
