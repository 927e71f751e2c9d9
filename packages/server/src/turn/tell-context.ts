import type { DeferredNamespace, Preamble } from "../prompt/prompt-source.ts";
import { type ContextSection, changedSections } from "../record/context.ts";
import type { ActiveTurn } from "../thread/active-turn.ts";
import type { Thread } from "../thread/thread.ts";

/** The thread's context as it is now. */
export function preamble(thread: Thread, deferred: readonly DeferredNamespace[] = []): Preamble {
  const { meta, context } = thread.record;
  const { baseInstructions, developerInstructions } = meta.quire ?? {};
  return thread.core.prompts.preamble({
    settings: thread.settings,
    config: thread.config,
    // Those of another version of this server stay: a thread's instructions do not change under it.
    baseInstructions: baseInstructions ?? thread.config.baseInstructions ?? context.get("base") ?? null,
    developerInstructions: developerInstructions ?? null,
    deferred,
    now: thread.features.now(),
  });
}

/** All sections of the context as it is now. */
export function contextSections(thread: Thread): readonly ContextSection[] {
  return preamble(thread, thread.toolbox.deferredNamespaces(thread.settings)).sections;
}

/**
 * Appends what has changed in the context to the history. Providers cache requests from their beginning, so nothing
 * that was sent is changed. Within a turn only new settings count: an agent is not told of files that it edits.
 */
export function tellChanges(thread: Thread, turn: ActiveTurn): void {
  const { record, settings } = thread;
  if (turn.toldSettings === settings || record.context.size === 0) return;
  turn.toldSettings = settings;
  const sections = changedSections(contextSections(thread), record.context);
  if (sections.length > 0) thread.event({ kind: "context", turnId: turn.id, sections });
}

/**
 * Puts the whole context before a history without any: a new one, or one that a compaction has made. As late as
 * possible, so that all of it is known. It belongs to no turn, so that no revert removes it.
 */
export function tellFirst(thread: Thread, turn: ActiveTurn): void {
  if (thread.record.context.size > 0) return;
  turn.toldSettings = thread.settings;
  thread.event({ kind: "context", turnId: "", sections: contextSections(thread) });
}
