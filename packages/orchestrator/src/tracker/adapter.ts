import type { Logger } from "../events/events.ts";
import type { AdapterProfile } from "./adapter-profile.ts";
import type { Tracker } from "./tracker.ts";

/** The tracker's part of a workflow, after defaults. */
export interface TrackerConfig {
  readonly kind: string;
  /** The adapter's own settings, as written: unknown keys and `$VAR` texts are still there. */
  readonly provider: Readonly<Record<string, unknown>>;
  readonly requiredLabels: readonly string[];
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
}

/** Services that an adapter may use besides its settings. */
export interface AdapterContext {
  /** Folder of the workflow file; relative paths start there. */
  readonly baseDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
}

/** Makes trackers of one kind. */
export interface TrackerAdapter {
  readonly profile: AdapterProfile;
  /** Checks the settings and makes a tracker; no request is made. Throws a `TrackerError`. */
  create(config: TrackerConfig, context: AdapterContext): Tracker;
}

/** Adapters by kind. */
export type TrackerAdapters = Readonly<Record<string, TrackerAdapter>>;
