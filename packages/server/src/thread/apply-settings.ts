import type { TurnStartParams } from "@quire/protocol";
import { event } from "../record/rollout-line.ts";
import { chosenEnvironment } from "../run/environments/choose-environment.ts";
import { resolveConfig, withOverrides } from "./open-settings.ts";
import type { Thread } from "./thread.ts";
import { wireSettings } from "./wire-thread.ts";

/** Applies overrides to a thread's settings. Returns a function that notifies subscribers, if anything changed. */
export function applySettings(thread: Thread, overrides: Partial<TurnStartParams>): (() => void) | undefined {
  const place = chosenEnvironment(thread.core.environments(), overrides.environments);
  const settings = withOverrides(thread.settings, { ...overrides, ...place }, thread.config);
  if (settings === thread.settings) return undefined;
  const given = { ...thread.record.meta.quire?.config, model_provider: settings.modelProvider };
  const moved = settings.cwd !== thread.settings.cwd;
  const config = moved ? resolveConfig(thread.core, settings.cwd, given) : thread.config;
  // A thread without a file gets them with its first line.
  if (thread.stored) thread.writeNow([event({ kind: "settings", settings })]);
  thread.config = config;
  thread.settings = settings;
  return () =>
    thread.notify("thread/settings/updated", {
      threadId: thread.id,
      threadSettings: wireSettings(settings, thread.config.raw),
    });
}
