import type { ModelRequest } from "../model/model-provider.ts";
import type { ActiveTurn } from "../thread/active-turn.ts";
import type { Thread } from "../thread/thread.ts";
import type { Conversation } from "./conversation.ts";
import { turnSettings } from "./turn-settings.ts";

/** The request for the current state. */
export function modelRequest(thread: Thread, turn: ActiveTurn, conversation: Conversation): ModelRequest {
  const settings = turnSettings(thread, turn);
  return {
    model: settings.model,
    input: conversation.input(),
    tools: conversation.tools(),
    effort: settings.effort,
    summary: settings.summary,
    verbosity: thread.config.verbosity,
    outputSchema: turn.request.outputSchema,
    serviceTier: turn.request.serviceTier ?? settings.serviceTier,
    threadId: thread.id,
    sessionId: thread.record.meta.session_id,
    turnId: turn.id,
    cwd: settings.cwd,
    metadata: turn.request.metadata,
  };
}
