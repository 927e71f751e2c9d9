import type { ResponseItem } from "@quire/protocol";
import { saidItems } from "../../record/context.ts";
import { textOf } from "../../record/model-items.ts";
import type { Thread } from "../../thread/thread.ts";
import { readClock } from "./thread-clock.ts";
import { timeSettings } from "./time-settings.ts";

const open = "<current_time_reminder>";
const close = "</current_time_reminder>";

/** A time in the model's format. */
export function formatTime(time: Date): string {
  return `It is ${time.toISOString().slice(0, 19).replace("T", " ")} UTC.`;
}

/**
 * Notes for the model about the time: none soon after the last. The history holds the last one, so that compactions,
 * forks and restarts need no care. Rejects when the client's clock fails.
 */
export async function timeReminder(thread: Thread, signal: AbortSignal): Promise<ResponseItem[]> {
  const settings = timeSettings(thread.config.raw);
  if (settings === undefined) return [];
  const now = await readClock(thread, signal);
  const history = saidItems(thread.record.history);
  const at = history.findLastIndex((item) => notifiedAt(item) !== undefined);
  const last = at < 0 ? undefined : notifiedAt(history[at]);
  if (last !== undefined) {
    const since = history.slice(at + 1);
    if (settings.afterInput && !since.some(isInput)) return [];
    if ((now.getTime() - last) / 1000 < settings.intervalSeconds) return [];
  }
  const text = `${open}${formatTime(now)}${close}`;
  return [{ type: "message", role: "developer", content: [{ type: "input_text", text }] }];
}

function notifiedAt(item: ResponseItem | undefined): number | undefined {
  if (item?.type !== "message" || item.role !== "developer") return undefined;
  const text = textOf(item);
  if (!text.startsWith(open)) return undefined;
  const [, day, time] = /It is (\S+) (\S+) UTC/.exec(text) ?? [];
  const at = Date.parse(`${day}T${time}Z`);
  return Number.isNaN(at) ? undefined : at;
}

function isInput(item: ResponseItem): boolean {
  return (item.type === "message" && item.role === "user") || item.type.endsWith("_output");
}
