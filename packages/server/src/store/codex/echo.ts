import type { ThreadItem } from "@quire/protocol";
import { toSeconds } from "../../lib/seconds.ts";
import type { NewLine } from "../../record/rollout-line.ts";

/** A line of Codex's own kind next to one of ours. Marked `quire`, so that we skip it. */
export interface EchoLine {
  readonly type: "event_msg";
  readonly payload: Readonly<Record<string, unknown>>;
  readonly quire: true;
}

/** The lines that Codex needs to list our thread and show its messages, if any. */
export function echoOf(line: NewLine): EchoLine | undefined {
  if (line.type !== "thread_event") return undefined;
  const event = line.payload;
  switch (event.kind) {
    case "turn_started":
      return echo({
        type: "task_started",
        turn_id: event.turnId,
        started_at: toSeconds(event.startedAtMs),
        model_context_window: null,
        collaboration_mode_kind: "default",
      });
    case "turn_completed":
      return echo(
        event.status === "interrupted"
          ? { type: "turn_aborted", turn_id: event.turnId, reason: "interrupted" }
          : { type: "task_complete", turn_id: event.turnId, last_agent_message: null },
      );
    case "item_completed":
      return itemEcho(event.item);
    default:
      return undefined;
  }
}

function itemEcho(item: ThreadItem): EchoLine | undefined {
  if (item.type === "agentMessage")
    return echo({ type: "agent_message", message: item.text, phase: item.phase ?? null });
  if (item.type !== "userMessage") return undefined;
  const message = item.content.flatMap((input) => (input.type === "text" ? [input.text] : [])).join("\n");
  const local_images = item.content.flatMap((input) => (input.type === "localImage" ? [input.path] : []));
  return echo({ type: "user_message", message, images: [], local_images, text_elements: [] });
}

const echo = (payload: EchoLine["payload"]): EchoLine => ({ type: "event_msg", payload, quire: true });
