import type { RequestScope } from "../context/processor.ts";
import { type CopyRange, copyOf } from "../record/copy-record.ts";
import { newRecord } from "../record/fold.ts";
import type { ThreadRecord } from "../record/thread-record.ts";
import type { Core } from "./core.ts";
import { type NewThread, newMeta } from "./new-thread.ts";
import { openSettings } from "./open-settings.ts";
import type { SettingsParams } from "./settings-params.ts";
import type { Thread } from "./thread.ts";

/** The source of a fork. */
export interface Fork {
  readonly source: ThreadRecord;
  readonly settings: SettingsParams;
  readonly range: Omit<CopyRange, "interrupted">;
  readonly ephemeral: boolean;
  /** Fields that the new thread does not take over. */
  readonly changes: Partial<NewThread>;
}

/** Makes a loaded thread that begins with what another one holds. */
export function forkThread(core: Core<Thread>, scope: RequestScope, fork: Fork): Thread {
  const { source, ephemeral } = fork;
  const { settings, config } = openSettings(core, fork.settings, source);
  const meta = newMeta(scope, {
    ...source.meta.quire,
    cwd: settings.cwd,
    modelProvider: settings.modelProvider,
    forkedFromId: source.meta.id,
    threadSource: null,
    ...fork.changes,
  });
  const lines = copyOf(source, { ...fork.range, interrupted: core.prompts.interrupted });
  const rollout = ephemeral ? null : core.store.create(meta);
  const thread = core.threads.add({
    record: newRecord(meta, rollout?.path ?? null),
    rollout,
    settings,
    config,
    ephemeral,
  });
  try {
    if (lines.length > 0) thread.writeNow(lines);
  } catch (error) {
    // Nobody hears of a thread that could not be stored.
    void core.threads.unload(thread.id);
    throw error;
  }
  return thread;
}
