import type { ResponseItem } from "@quire/protocol";
import { invalidRequest } from "../rpc-errors.ts";
import type { NewLine } from "../store/rollout-line.ts";
import type { ThreadRecord } from "./thread-record.ts";

/** How much of a thread to copy. */
export interface CopyRange {
  /** The last turn to take. */
  readonly lastTurnId: string | null;
  /** The first turn to leave out. */
  readonly beforeTurnId: string | null;
  /** Marks the turn that was running for the model. */
  readonly interrupted: ResponseItem;
}

/** The lines that make another thread of this one, up to some turn. A turn that runs is copied as interrupted. */
export function copyOf(record: ThreadRecord, range: CopyRange): NewLine[] {
  const turns = record.turns.slice(0, endOf(record, range));
  const ids = new Set(turns.map((turn) => turn.id));
  const lines: NewLine[] = [];
  for (const turn of turns) {
    const startedAtMs = (turn.startedAt ?? 0) * 1000;
    const running = turn.status === "inProgress";
    lines.push({
      type: "thread_event",
      payload: { kind: "turn_started", turnId: turn.id, startedAtMs, rootTurnId: turn.rootTurnId ?? null },
    });
    for (const item of turn.items)
      lines.push({ type: "thread_event", payload: { kind: "item_completed", turnId: turn.id, item } });
    lines.push({
      type: "thread_event",
      payload: {
        kind: "turn_completed",
        turnId: turn.id,
        status: turn.status === "inProgress" ? "interrupted" : turn.status,
        error: turn.error ?? null,
        completedAtMs: running ? Date.now() : (turn.completedAt ?? 0) * 1000,
        durationMs: turn.durationMs ?? 0,
      },
    });
  }
  for (const { item, turnId } of record.history) {
    if (turnId === "" || ids.has(turnId)) lines.push({ type: "response_item", payload: item, turnId });
  }
  const last = turns.at(-1);
  if (last?.status === "inProgress") lines.push({ type: "response_item", payload: range.interrupted, turnId: last.id });
  if (record.usage && last)
    lines.push({ type: "thread_event", payload: { kind: "token_usage", turnId: last.id, usage: record.usage } });
  if (record.name !== null) lines.push({ type: "thread_event", payload: { kind: "name", name: record.name } });
  if (record.gitInfo) lines.push({ type: "thread_event", payload: { kind: "git_info", gitInfo: record.gitInfo } });
  return lines;
}

function endOf({ turns }: ThreadRecord, { lastTurnId, beforeTurnId }: CopyRange): number {
  if (lastTurnId === null && beforeTurnId === null) return turns.length;
  const wanted = lastTurnId ?? beforeTurnId;
  const at = turns.findIndex((turn) => turn.id === wanted);
  if (at < 0) throw invalidRequest(`turn not found: ${wanted}`);
  return lastTurnId === null ? at : at + 1;
}
