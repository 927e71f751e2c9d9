/** An adapter's description of itself, shown by `--dry-run` and in the docs. */
export interface AdapterProfile {
  /** Value of `tracker.kind`. */
  readonly kind: string;
  /** For people, such as `GitHub issues`. */
  readonly title: string;
  /** Meaning of the dispatch id, and the form of `identifier`. */
  readonly ids: string;
  /** The rule for dispatchable issues. */
  readonly dispatchable: string;
  /** Used where the workflow names no `active_states`; undefined where it has to. */
  readonly defaultActiveStates: readonly string[] | undefined;
  /** Used where the workflow names no `terminal_states`; undefined where it has to. */
  readonly defaultTerminalStates: readonly string[] | undefined;
  /** Names of its settings in `tracker.provider`; others are warned of. Undefined: it has any. */
  readonly settings?: readonly string[] | undefined;
  /** Settings that may also stand in `tracker` itself, as older workflows have them; `provider` comes first. */
  readonly flatSettings?: readonly string[] | undefined;
  /** Names of the tools that it gives to agents. */
  readonly tools: readonly string[];
}
