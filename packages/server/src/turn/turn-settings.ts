import type { TurnSettings } from "../record/turn-settings.ts";
import type { ActiveTurn, TurnPlace } from "../thread/active-turn.ts";
import type { Thread } from "../thread/thread.ts";

/** The settings of a running turn: the thread's, and what was changed for this turn alone. */
export function turnSettings(thread: Thread, turn: ActiveTurn): TurnSettings {
  return turn.settings ? { ...thread.settings, ...turn.settings } : thread.settings;
}

/** The place that a turn was given for its next steps; empty where it has the thread's. */
export function turnPlace({ settings }: ActiveTurn): Partial<TurnPlace> {
  if (settings?.environment === undefined) return {};
  const { environment, cwd, runtimeWorkspaceRoots } = settings;
  return { environment, ...(cwd !== undefined && { cwd }), ...(runtimeWorkspaceRoots && { runtimeWorkspaceRoots }) };
}
