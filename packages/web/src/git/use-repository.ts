import { useCallback, useEffect, useState } from "react";
import type { RunScript } from "../scripts/run-script.ts";
import { type Loadable, messageOf } from "../state/index.ts";
import { type GitScope, type RepositoryState, readRepository, type TurnPlace } from "./repository.ts";

/** The repository of a thread's folder, and the way to look again. */
export interface Repository extends Loadable<RepositoryState> {
  /** There is no repository, or it cannot be asked. */
  readonly missing: boolean;
  readonly reload: () => void;
}

const nothing: Loadable<RepositoryState> = { value: null, loading: true, error: null };

/**
 * Reads the repository when it is shown, when `moment` changes, as at the end of a turn, and when the user comes back to
 * the page.
 */
export function useRepository(
  run: RunScript | null,
  scope: GitScope,
  { moment, place }: { readonly moment: unknown; readonly place: TurnPlace | null },
): Repository {
  const [state, setState] = useState<Loadable<RepositoryState> & { readonly missing: boolean }>({
    ...nothing,
    missing: run === null,
  });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round or moment reads again
  useEffect(() => {
    if (run === null) return;
    let stale = false;
    setState((before) => ({ ...before, loading: true }));
    readRepository(run, scope, place).then(
      (value) => stale || setState({ value, loading: false, error: null, missing: value === null }),
      (error: unknown) =>
        stale || setState((before) => ({ ...before, loading: false, error: messageOf(error), missing: false })),
    );
    return () => {
      stale = true;
    };
  }, [run, scope, round, moment, place?.turn]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  useEffect(() => {
    addEventListener("focus", reload);
    return () => removeEventListener("focus", reload);
  }, [reload]);
  return { ...state, missing: run === null || state.missing, reload };
}
