import type { RequestScope } from "../context/processor.ts";
import { codexVersion } from "../lib/version.ts";
import type { QuireMeta, SessionMeta } from "../record/rollout-line.ts";

/** The metadata of a new thread. */
export interface NewThread extends Partial<QuireMeta> {
  readonly cwd: string;
  readonly modelProvider: string;
  readonly forkedFromId?: string | null;
  /** The root of the thread's tree, if not the thread itself. */
  readonly sessionId?: string | null;
}

/** The first line of a new thread. */
export function newMeta(scope: Pick<RequestScope, "server"> & Partial<RequestScope>, given: NewThread): SessionMeta {
  const id = Bun.randomUUIDv7();
  const source = given.source ?? scope.server.sessionSource;
  return {
    id,
    session_id: given.sessionId ?? id,
    timestamp: new Date().toISOString(),
    cwd: given.cwd,
    originator: scope.connection?.facts?.name ?? "quire",
    cli_version: codexVersion,
    source,
    model_provider: given.modelProvider,
    ...(given.forkedFromId ? { forked_from_id: given.forkedFromId } : {}),
    history_mode: given.historyMode ?? "paginated",
    quire: {
      source,
      threadSource: given.threadSource ?? null,
      serviceName: given.serviceName ?? null,
      baseInstructions: given.baseInstructions ?? null,
      developerInstructions: given.developerInstructions ?? null,
      dynamicTools: given.dynamicTools ?? [],
      config: given.config ?? null,
      parentThreadId: given.parentThreadId ?? null,
      agentNickname: given.agentNickname ?? null,
      agentRole: given.agentRole ?? null,
      ...(given.historyMode && { historyMode: given.historyMode }),
    },
  };
}
