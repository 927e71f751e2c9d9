import { errorMessage } from "../../lib/error-message.ts";
import { escaped } from "../../prompt/message.ts";
import type { Thread } from "../../thread/thread.ts";
import { answerInput } from "../../turn/model-loop.ts";
import { startTurn } from "../../turn/start-turn.ts";
import type { Outcome } from "./dialect.ts";
import type { Line } from "./transcript.ts";

/** Work that a voice hands over. */
export interface Delegation {
  readonly input: string;
  readonly transcript: readonly Line[];
  readonly callId: string;
  /** The voice session that gets the result. */
  readonly session: { sendOutcome(callId: string, outcome: Outcome): void };
}

/** Runs the work in a turn of its own or in the running one, and reports the result to the voice. */
export async function delegate(thread: Thread, { input, transcript, callId, session }: Delegation): Promise<void> {
  try {
    const before = transcript.map(({ role, text }) => `${role}: ${text}`).join("\n");
    const words = `<realtime_delegation>\n  <input>${escaped(input)}</input>\n  <transcript_delta>${escaped(before)}</transcript_delta>\n</realtime_delegation>`;
    const pending = { input: [{ type: "text" as const, text: words, text_elements: [] }], clientId: null };
    const { active } = thread;
    if (active) {
      active.steer(pending);
      session.sendOutcome(callId, { type: "steered" });
      return;
    }
    const request = { kind: "regular", outputSchema: null, metadata: {}, rootTurnId: null, serviceTier: null } as const;
    startTurn(thread, request, answerInput(pending));
    await (thread.active as NonNullable<typeof thread.active>).done;
    const turn = thread.record.turns.at(-1);
    const message = turn?.items.findLast((item) => item.type === "agentMessage");
    const said = message?.type === "agentMessage" && message.text !== "" ? message.text : null;
    const failure = turn?.error ? `The agent failed: ${turn.error.message}` : null;
    session.sendOutcome(callId, { type: "done", text: said ?? failure });
  } catch (error) {
    session.sendOutcome(callId, { type: "failed", why: errorMessage(error) });
  }
}
