import type { Logger } from "../events.ts";
import type { Tracker } from "./tracker.ts";

/** What an adapter says of itself: shown by `--dry-run` and in the documents. */
export interface AdapterProfile {
  /** Value of `tracker.kind`. */
  readonly kind: string;
  /** For people, such as `GitHub issues`. */
  readonly title: string;
  /** What the dispatch id is, and what `identifier` looks like. */
  readonly ids: string;
  /** Which issues are dispatchable. */
  readonly dispatchable: string;
  /** Used where the workflow names no `active_states`; undefined where it has to. */
  readonly defaultActiveStates: readonly string[] | undefined;
  /** Used where the workflow names no `terminal_states`; undefined where it has to. */
  readonly defaultTerminalStates: readonly string[] | undefined;
  /** Names of the tools that it gives to agents. */
  readonly tools: readonly string[];
}

/** The tracker's part of a workflow, after defaults. */
export interface TrackerConfig {
  readonly kind: string;
  /** The adapter's own settings, as written: unknown keys and `$VAR` texts are still there. */
  readonly provider: Readonly<Record<string, unknown>>;
  readonly requiredLabels: readonly string[];
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
}

/** What an adapter may use besides its settings. */
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
