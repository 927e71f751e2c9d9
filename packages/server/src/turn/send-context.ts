import type { DeferredNamespace, Preamble } from "../prompt/prompt-source.ts";
import { type ContextSection, changedSections } from "../record/context.ts";
import type { TurnSettings } from "../record/turn-settings.ts";
import type { ActiveTurn } from "../thread/active-turn.ts";
import type { Thread } from "../thread/thread.ts";
import { turnSettings } from "./turn-settings.ts";

/** Facts that a context tells of besides the thread. */
interface ContextFacts {
  /** Default: the thread's. */
  readonly settings?: TurnSettings;
  readonly deferred?: readonly DeferredNamespace[];
}

/** The thread's context as it is now. */
export function preamble(thread: Thread, { settings = thread.settings, deferred = [] }: ContextFacts = {}): Preamble {
  const { meta, context } = thread.record;
  const { baseInstructions, developerInstructions } = meta.quire ?? {};
  return thread.core.prompts.preamble({
    settings,
    config: thread.config,
    // Those of another version of this server stay: a thread's instructions do not change under it.
    baseInstructions: baseInstructions ?? thread.config.baseInstructions ?? context.get("base") ?? null,
    developerInstructions: developerInstructions ?? null,
    deferred,
    now: thread.features.now(),
  });
}

/** All sections of the context as it is now. */
export function contextSections(thread: Thread, settings: TurnSettings = thread.settings): readonly ContextSection[] {
  return preamble(thread, { settings, deferred: thread.toolbox.deferredNamespaces(settings) }).sections;
}

/**
 * Appends what has changed in the context to the history. Providers cache requests from their beginning, so nothing
 * that was sent is changed. Within a turn only new settings count: an agent does not hear of files that it edits.
 */
export function sendContextChanges(thread: Thread, turn: ActiveTurn): void {
  const { record } = thread;
  const settings = turnSettings(thread, turn);
  if (turn.contextSettings === settings || record.context.size === 0) return;
  turn.contextSettings = settings;
  const sections = changedSections(contextSections(thread, settings), record.context);
  if (sections.length > 0) thread.event({ kind: "context", turnId: turn.id, sections });
}

/**
 * Puts the whole context before a history without any: a new one, or one that a compaction has made. As late as
 * possible, so that all of it is known. It belongs to no turn, so that no revert removes it.
 */
export function sendContext(thread: Thread, turn: ActiveTurn): void {
  if (thread.record.context.size > 0) return;
  const settings = turnSettings(thread, turn);
  turn.contextSettings = settings;
  thread.event({ kind: "context", turnId: "", sections: contextSections(thread, settings) });
}
