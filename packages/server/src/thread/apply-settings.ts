import type { TurnStartParams } from "@quire/protocol";
import type { EffectiveConfig } from "../config/effective-config.ts";
import { event } from "../record/rollout-line.ts";
import type { TurnSettings } from "../record/turn-settings.ts";
import { chosenEnvironment } from "../run/environments/choose-environment.ts";
import { isLocal, localEnvironment } from "../run/environments/local-environment.ts";
import { nextSettings } from "./next-settings.ts";
import { configFor, withOverrides } from "./open-settings.ts";
import type { Thread } from "./thread.ts";
import { wireSettings } from "./wire-thread.ts";

/**
 * Applies overrides to the settings of a thread's next turns; a running one keeps its own. Returns a function that
 * notifies subscribers, if anything changed.
 */
export function applySettings(thread: Thread, overrides: Partial<TurnStartParams>): (() => void) | undefined {
  const { settings: before, config: known } = nextSettings(thread);
  // A new folder alone takes the thread back to the place where threads begin.
  const back = overrides.cwd && !isLocal(before) ? { environment: localEnvironment } : undefined;
  const place = chosenEnvironment(thread.core.environments(), overrides.environments) ?? back;
  return changeSettings(thread, withOverrides(before, { ...overrides, ...place }, known));
}

/** Replaces the settings of the thread's next turns; otherwise as {@link applySettings}. */
export function changeSettings(thread: Thread, settings: TurnSettings): (() => void) | undefined {
  const { settings: before, config: known } = nextSettings(thread);
  if (settings === before) return undefined;
  const config = configAfter(thread, { before, known, settings });
  // A thread without a file gets them with its first line.
  if (thread.stored) thread.writeNow([event({ kind: "settings", settings })]);
  if (thread.active) thread.active.next = { settings, config };
  else {
    thread.settings = settings;
    thread.config = config;
  }
  return () =>
    thread.notify("thread/settings/updated", {
      threadId: thread.id,
      threadSettings: wireSettings(settings, config.raw),
    });
}

interface Change {
  readonly before: TurnSettings;
  readonly known: EffectiveConfig;
  readonly settings: TurnSettings;
}

/** Another folder has its own config. Another model has its own window; prompt and tools stay, for the cache. */
function configAfter({ core, record }: Thread, { before, known, settings }: Change): EffectiveConfig {
  const { cwd, model, modelProvider } = settings;
  if (cwd === before.cwd && model === before.model) return known;
  const request = { cwd, overrides: { ...record.meta.quire?.config, model_provider: modelProvider }, model };
  if (cwd !== before.cwd) return configFor(core, request);
  return { ...known, contextWindow: core.config.lasting(request).contextWindow };
}
