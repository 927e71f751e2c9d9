import { useCallback, useEffect, useState } from "react";
import { type Loadable, messageOf } from "../state/index.ts";

/** Something fetched, and the way to fetch it again. */
export interface Loaded<T> extends Loadable<T> {
  readonly reload: () => void;
}

/** Fetches on first use and whenever `load` becomes another function; what came late is dropped. */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Loadable<T>>({ value: null, loading: true, error: null });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round loads again
  useEffect(() => {
    let stale = false;
    setState((before) => ({ ...before, loading: true, error: null }));
    load().then(
      (value) => stale || setState({ value, loading: false, error: null }),
      (error: unknown) => stale || setState((before) => ({ ...before, loading: false, error: messageOf(error) })),
    );
    return () => {
      stale = true;
    };
  }, [load, round]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  return { ...state, reload };
}
