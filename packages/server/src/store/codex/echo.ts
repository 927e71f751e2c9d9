import type { ThreadItem, ThreadTokenUsage, TokenUsageBreakdown } from "@quire/protocol";
import { toSeconds } from "../../lib/seconds.ts";
import type { NewLine, ThreadEvent } from "../../record/rollout-line.ts";
import { codexItem } from "./codex-item.ts";

/** A line of Codex's own kind next to one of ours. Marked `quire`, so that we skip it. */
export interface EchoLine {
  readonly type: "event_msg";
  readonly payload: Readonly<Record<string, unknown>>;
  readonly quire: true;
}

/**
 * The lines that Codex needs to list our thread and to show its turns: those that 0.118 reads, and for later versions
 * each item as they write it.
 */
export function echoesOf(line: NewLine, threadId: string): EchoLine[] {
  return line.type === "thread_event" ? payloadsOf(line.payload, threadId).map(echo) : [];
}

const echo = (payload: EchoLine["payload"]): EchoLine => ({ type: "event_msg", payload, quire: true });

function payloadsOf(event: ThreadEvent, threadId: string): EchoLine["payload"][] {
  switch (event.kind) {
    case "turn_started":
      return [
        {
          type: "task_started",
          turn_id: event.turnId,
          root_turn_id: event.rootTurnId ?? event.turnId,
          started_at: toSeconds(event.startedAtMs),
          model_context_window: null,
          collaboration_mode_kind: "default",
        },
      ];
    case "turn_completed": {
      const times = {
        started_at: toSeconds(event.completedAtMs - event.durationMs),
        completed_at: toSeconds(event.completedAtMs),
        duration_ms: Math.round(event.durationMs),
      };
      const { turnId: turn_id } = event;
      if (event.status === "interrupted") return [{ type: "turn_aborted", turn_id, reason: "interrupted", ...times }];
      return [{ type: "task_complete", turn_id, root_turn_id: turn_id, last_agent_message: null, ...times }];
    }
    case "item_completed": {
      const { turnId: turn_id, item } = event;
      const written = codexItem(item);
      const times = { started_at_ms: item.startedAtMs ?? null, completed_at_ms: item.completedAtMs ?? Date.now() };
      const whole = written && { type: "item_completed", thread_id: threadId, turn_id, item: written, ...times };
      return [...messageEcho(item), ...(whole ? [whole] : [])];
    }
    case "token_usage":
      return [{ type: "token_count", info: usageEcho(event.usage), rate_limits: null }];
    default:
      return [];
  }
}

function messageEcho(item: ThreadItem): EchoLine["payload"][] {
  if (item.type === "agentMessage") return [{ type: "agent_message", message: item.text, phase: item.phase ?? null }];
  if (item.type !== "userMessage") return [];
  const message = item.content.flatMap((input) => (input.type === "text" ? [input.text] : [])).join("\n");
  const local_images = item.content.flatMap((input) => (input.type === "localImage" ? [input.path] : []));
  return [{ type: "user_message", message, images: [], local_images, text_elements: [] }];
}

function usageEcho({ total, last, modelContextWindow }: ThreadTokenUsage): object {
  return {
    total_token_usage: breakdown(total),
    last_token_usage: breakdown(last),
    model_context_window: modelContextWindow ?? null,
  };
}

function breakdown(usage: TokenUsageBreakdown): object {
  return Object.fromEntries(
    Object.entries(usage).map(([key, count]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), count]),
  );
}
