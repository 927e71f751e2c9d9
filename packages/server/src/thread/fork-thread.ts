import type { RequestScope } from "../context/processor.ts";
import { runGently } from "../lib/time-slice.ts";
import { type CopyRange, copyOf, madeBy } from "../record/copy-record.ts";
import { applyLine, newRecord } from "../record/fold.ts";
import { event, type NewLine } from "../record/rollout-line.ts";
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

/** Makes a loaded thread that begins with what another one holds. A long one is copied with others in between. */
export async function forkThread(core: Core<Thread>, scope: RequestScope, fork: Fork): Promise<Thread> {
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
  const copied = copyOf(source, { ...fork.range, interrupted: core.prompts.interrupted });
  const lines = madeBy(copied, source.meta.model_provider, meta.model_provider);
  const rollout = ephemeral ? null : core.store.create(meta);
  const record = newRecord(meta, rollout?.path ?? null);
  if (lines.length > 0) {
    const all = rollout ? [event({ kind: "settings", settings }), ...lines] : lines;
    // Nobody hears of a thread that is not stored yet, or could not be.
    await rollout?.appendGently(all);
    await runGently(folding(record, all));
    if (rollout) core.store.changed(record);
  }
  return core.threads.add({ record, rollout, settings, config, ephemeral });
}

function* folding(record: ThreadRecord, lines: readonly NewLine[]): Generator<undefined, void> {
  const now = Date.now();
  for (const line of lines) {
    applyLine(record, line, now);
    yield;
  }
}
