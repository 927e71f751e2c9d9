import type {
  ActivePermissionProfile,
  GitInfo,
  SessionSource,
  ThreadEnvironment,
  ThreadHistoryMode,
  ThreadSettings,
  ThreadStatus,
  Turn,
  Thread as WireThread,
} from "@quire/protocol";
import { customProfiles } from "../config/custom-profiles.ts";
import { toSeconds } from "../lib/seconds.ts";
import type { Table } from "../lib/table.ts";
import type { ThreadRecord } from "../record/thread-record.ts";
import type { TurnSettings } from "../record/turn-settings.ts";
import { unpackedPath } from "../store/rollout-files.ts";
import { chosenModel } from "../store/summary-of.ts";
import type { ThreadSummary } from "../store/thread-store.ts";
import type { Core } from "./core.ts";
import { nextSettings } from "./next-settings.ts";
import type { Thread } from "./thread.ts";

const notLoaded: ThreadStatus = { type: "notLoaded" };

/** A loaded thread as the wire shows it. */
export function wireThread(thread: Thread, turns: Turn[] = []): WireThread {
  const { record } = thread;
  const { settings } = nextSettings(thread);
  const shown = fromRecord(record, turns);
  return {
    ...(thread.ephemeral ? { ...shown, projectId: thread.unstoredProject } : withPlacement(thread.core, shown)),
    environments: environments(settings),
    canAcceptDirectInput: true,
    ephemeral: thread.ephemeral,
    path: thread.ephemeral ? null : (shown.path ?? null),
    // A thread that is not stored has nothing to find again, except in a fork.
    preview: thread.ephemeral && !record.meta.forked_from_id ? "" : shown.preview,
    status: thread.status,
    model: settings.model,
    modelProvider: settings.modelProvider,
    reasoningEffort: settings.effort,
    cwd: settings.cwd,
  };
}

/** A stored thread with the section and the project that the user has put it into. */
export function withPlacement(core: Core, thread: WireThread): WireThread {
  return withPlacements(core, [thread])[0] as WireThread;
}

/** Many of them at once. */
export function withPlacements(core: Core, threads: readonly WireThread[]): WireThread[] {
  const placements = core.state.existing?.placements.of(threads.map(({ id }) => id));
  return threads.map((thread) => ({ ...thread, ...placements?.get(thread.id) }));
}

/** A stored thread as the wire shows it, but for its place. */
export function fromRecord(record: ThreadRecord, turns: Turn[] = []): WireThread {
  const { meta } = record;
  const { model, effort } = chosenModel(record);
  return wire({
    id: meta.id,
    sessionId: meta.session_id ?? meta.id,
    forkedFromId: meta.forked_from_id ?? null,
    parentThreadId: meta.quire?.parentThreadId ?? null,
    preview: record.preview,
    modelProvider: record.settings?.modelProvider ?? meta.model_provider,
    model,
    effort,
    createdAtMs: record.createdAtMs,
    updatedAtMs: record.updatedAtMs,
    path: record.path,
    cwd: record.settings?.cwd ?? meta.cwd,
    cliVersion: meta.cli_version,
    originator: meta.originator,
    source: sourceOf(record),
    threadSource: meta.quire?.threadSource ?? null,
    agentNickname: meta.quire?.agentNickname ?? null,
    agentRole: meta.quire?.agentRole ?? null,
    gitInfo: record.gitInfo,
    name: record.name,
    historyMode: meta.quire?.historyMode ?? "paginated",
    turns,
  });
}

/** A row of the index as the wire shows it, but for its place. */
export function fromSummary(summary: ThreadSummary): WireThread {
  return wire({ ...summary, effort: summary.reasoningEffort, turns: [] });
}

/** The source of a thread, in any program's file. */
function sourceOf({ meta }: ThreadRecord): SessionSource {
  if (meta.quire) return meta.quire.source;
  const { source } = meta;
  if (typeof source === "object" && source !== null && "subagent" in source)
    return { subAgent: source.subagent } as SessionSource;
  return (source ?? "unknown") as SessionSource;
}

interface WireParts {
  readonly id: string;
  readonly sessionId: string;
  readonly forkedFromId: string | null;
  readonly parentThreadId: string | null;
  readonly preview: string;
  readonly modelProvider: string;
  readonly model: string | null;
  readonly effort: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly path: string | null;
  readonly cwd: string;
  readonly cliVersion: string;
  readonly originator: string;
  readonly source: SessionSource;
  readonly threadSource: string | null;
  readonly agentNickname: string | null;
  readonly agentRole: string | null;
  readonly gitInfo: GitInfo | null;
  readonly name: string | null;
  readonly historyMode: ThreadHistoryMode;
  readonly turns: Turn[];
}

function wire(parts: WireParts): WireThread {
  return {
    id: parts.id,
    environments: null,
    extra: null,
    sessionId: parts.sessionId,
    forkedFromId: parts.forkedFromId,
    parentThreadId: parts.parentThreadId,
    preview: parts.preview,
    ephemeral: false,
    section: null,
    sectionEnteredAt: null,
    projectId: null,
    historyMode: parts.historyMode,
    modelProvider: parts.modelProvider,
    model: parts.model,
    reasoningEffort: parts.effort,
    createdAt: toSeconds(parts.createdAtMs),
    updatedAt: toSeconds(parts.updatedAtMs),
    recencyAt: toSeconds(parts.updatedAtMs),
    status: notLoaded,
    // Clients see the same path when a file is compressed.
    path: parts.path && unpackedPath(parts.path),
    cwd: parts.cwd,
    cliVersion: parts.cliVersion,
    originator: parts.originator,
    source: parts.source,
    canAcceptDirectInput: null,
    threadSource: parts.threadSource,
    agentNickname: parts.agentNickname,
    agentRole: parts.agentRole,
    gitInfo: parts.gitInfo,
    name: parts.name,
    daybreakEnabled: null,
    turns: parts.turns,
  };
}

/** The profile that a thread's permissions were chosen by. `raw` is the config, which may say what it extends. */
export function wireProfile({ permissionProfile: id }: TurnSettings, raw: Table): ActivePermissionProfile | null {
  if (!id) return null;
  return { id, extends: customProfiles(raw).find((own) => own.id === id)?.extends ?? null };
}

/** Settings as the wire shows them. */
export function wireSettings(settings: TurnSettings, raw: Table): ThreadSettings {
  return {
    disabledPluginIds: [],
    cwd: settings.cwd,
    environments: environments(settings),
    approvalPolicy: settings.approvalPolicy,
    approvalsReviewer: settings.approvalsReviewer,
    sandboxPolicy: settings.sandboxPolicy,
    activePermissionProfile: wireProfile(settings, raw),
    model: settings.model,
    modelProvider: settings.modelProvider,
    serviceTier: settings.serviceTier,
    effort: settings.effort,
    summary: settings.summary,
    collaborationMode: settings.collaborationMode ?? {
      mode: "default",
      settings: { model: settings.model, reasoning_effort: settings.effort, developer_instructions: null },
    },
    multiAgentMode: settings.multiAgentMode,
    personality: settings.personality,
  };
}

function environments({ environment = "local", cwd, runtimeWorkspaceRoots }: TurnSettings): ThreadEnvironment[] {
  if (environment === null) return [];
  return [{ environmentId: environment, cwd, runtimeWorkspaceRoots: [...runtimeWorkspaceRoots] }];
}
