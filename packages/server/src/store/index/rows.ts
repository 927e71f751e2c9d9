import { dirname } from "node:path";
import type { SessionSource } from "@quire/protocol";
import type { ThreadSummary } from "../thread-store.ts";

/** A thread as the index keeps it: what is searched and sorted by has a column, the rest is JSON. */
export interface ThreadRow {
  readonly id: string;
  readonly path: string;
  readonly folder: string;
  readonly size: number;
  readonly mtime: number;
  readonly archived: number;
  readonly listed: number;
  readonly kind: string;
  readonly parent: string | null;
  readonly provider: string;
  readonly originator: string;
  readonly cwd: string;
  readonly name: string | null;
  readonly preview: string;
  readonly created: number;
  readonly updated: number;
  readonly rest: string;
}

/** The index entry of a file, without the thread in it. */
export interface FileState {
  readonly size: number;
  readonly mtime: number;
  /** True when lists show the thread: Codex leaves out those without messages. */
  readonly listed: boolean;
}

/** The columns, in the order in which {@link rowValues} gives them. */
export const columns = [
  "id",
  "path",
  "folder",
  "size",
  "mtime",
  "archived",
  "listed",
  "kind",
  "parent",
  "provider",
  "originator",
  "cwd",
  "name",
  "preview",
  "created",
  "updated",
  "rest",
] as const;

/** The fields that have no column, as JSON. */
export function restOf(summary: ThreadSummary): string {
  const { sessionId, cliVersion, source, threadSource, model, reasoningEffort, gitInfo, forkedFromId } = summary;
  const { agentNickname, agentRole, historyMode } = summary;
  return JSON.stringify({
    sessionId,
    cliVersion,
    source,
    threadSource,
    model,
    reasoningEffort,
    gitInfo,
    forkedFromId,
    agentNickname,
    agentRole,
    historyMode,
  });
}

/** A row's values, for an insert. */
export function rowValues(summary: ThreadSummary, file: FileState): (string | number | null)[] {
  return [
    summary.id,
    summary.path,
    dirname(summary.path),
    file.size,
    file.mtime,
    summary.archived ? 1 : 0,
    file.listed ? 1 : 0,
    kindOf(summary.source),
    summary.parentThreadId,
    summary.modelProvider,
    summary.originator,
    summary.cwd,
    summary.name,
    summary.preview,
    summary.createdAtMs,
    summary.updatedAtMs,
    restOf(summary),
  ];
}

/** The summary in a row. */
export function summaryOfRow(row: ThreadRow): ThreadSummary {
  return {
    ...(JSON.parse(row.rest) as Omit<ThreadSummary, "id">),
    id: row.id,
    path: row.path,
    archived: row.archived === 1,
    name: row.name,
    preview: row.preview,
    cwd: row.cwd,
    originator: row.originator,
    modelProvider: row.provider,
    parentThreadId: row.parent,
    createdAtMs: row.created,
    updatedAtMs: row.updated,
  };
}

/** The kind of a source, in the terms of `sourceKinds`; `custom` for others. */
export function kindOf(source: SessionSource): string {
  if (typeof source === "string") return source;
  if ("custom" in source) return "custom";
  const { subAgent } = source;
  if (subAgent === "review") return "subAgentReview";
  if (subAgent === "compact") return "subAgentCompact";
  if (typeof subAgent === "object" && "thread_spawn" in subAgent) return "subAgentThreadSpawn";
  return "subAgentOther";
}
