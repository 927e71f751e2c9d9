import type { QueuedSubmission, Turn } from "@quire/protocol";
import type { Thread } from "../../thread/thread.ts";
import { answerInput } from "../../turn/model-loop.ts";
import { startTurn } from "../../turn/start-turn.ts";

/** Begins the turn of a message that has waited. */
export function startQueued(thread: Thread, queued: QueuedSubmission): Turn {
  const { queue } = thread.core.state.tables;
  queue.begin(queued.id);
  try {
    const taken = () => queue.taken(queued.id);
    const work = answerInput({ input: queued.input, clientId: queued.clientUserMessageId, taken });
    const metadata = queued.responsesapiClientMetadata ?? {};
    const request = { kind: "regular", outputSchema: null, metadata, rootTurnId: null, serviceTier: null } as const;
    const turn = startTurn(thread, request, async (given, active) => {
      try {
        await work(given, active);
      } finally {
        // A message that was interrupted before it was stored keeps waiting.
        queue.giveBack(queued.id);
      }
    });
    thread.notify("thread/queue/changed", { threadId: thread.id });
    return turn;
  } catch (error) {
    queue.giveBack(queued.id);
    throw error;
  }
}
