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
