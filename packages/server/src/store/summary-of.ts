import type { SessionSource } from "@quire/protocol";
import type { ThreadRecord } from "../record/thread-record.ts";
import type { TurnSettings } from "../record/turn-settings.ts";
import type { ThreadSummary } from "./thread-store.ts";

/** The index entry of a thread. */
export function summaryOf(record: ThreadRecord, path: string, archived: boolean): ThreadSummary {
  const { meta, settings } = record;
  const chosen = chosenModel(record);
  return {
    id: meta.id,
    sessionId: meta.session_id ?? meta.id,
    path,
    archived,
    name: record.name,
    preview: record.preview,
    cwd: settings?.cwd ?? meta.cwd,
    originator: meta.originator,
    cliVersion: meta.cli_version,
    source: meta.quire?.source ?? (meta.source as SessionSource),
    threadSource: meta.quire?.threadSource ?? null,
    modelProvider: settings?.modelProvider ?? meta.model_provider,
    model: chosen.model,
    reasoningEffort: chosen.effort,
    gitInfo: record.gitInfo,
    forkedFromId: meta.forked_from_id ?? null,
    parentThreadId: meta.quire?.parentThreadId ?? null,
    agentNickname: meta.quire?.agentNickname ?? null,
    agentRole: meta.quire?.agentRole ?? null,
    historyMode: meta.quire?.historyMode ?? "paginated",
    createdAtMs: record.createdAtMs,
    updatedAtMs: record.updatedAtMs,
  };
}

/** The model of a thread, and none where it was never asked anything, as Codex shows it. */
export function chosenModel({
  turns,
  settings,
}: ThreadRecord): Pick<TurnSettings, "effort"> & { model: string | null } {
  return turns.length > 0 && settings ? settings : { model: null, effort: null };
}

/** True when lists show a thread: Codex leaves out those without messages. */
export function isListed(record: ThreadRecord): boolean {
  return record.preview !== "" || (record.turns.length > 0 && record.meta.forked_from_id === undefined);
}
