import type { Turn } from "@quire/protocol";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { ActiveTurn, type TurnRequest } from "../thread/active-turn.ts";
import type { Thread } from "../thread/thread.ts";
import { runTurn, type TurnWork } from "./run-turn.ts";

/** Begins a turn and returns it for the reply. It starts after the reply, so that no event comes first. */
export function startTurn(thread: Thread, request: TurnRequest, work: TurnWork): Turn {
  if (thread.active) throw busy(thread.active);
  if (thread.closing) throw invalidRequest("the thread is closing; resume it to continue");
  thread.beginWriting();
  const turn = new ActiveTurn(request);
  thread.active = turn;
  turn.done = new Promise<void>((resolve) => {
    setImmediate(() => void runTurn(thread, turn, work).then(resolve));
  });
  return turn.toWire(null);
}

/** The error for actions that a running turn does not allow. */
export function busy({ request }: ActiveTurn): Error {
  if (request.kind === "regular") return invalidRequest("a turn is running; wait for its end or interrupt it");
  const words = { review: "cannot steer a review turn", compact: "cannot steer a compact turn" }[request.kind];
  return invalidRequest(words, {
    message: words,
    codexErrorInfo: { activeTurnNotSteerable: { turnKind: request.kind } },
    additionalDetails: null,
    misalignment: null,
  });
}
