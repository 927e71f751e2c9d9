import { createContext, type ReactNode, useCallback, useContext, useRef, useSyncExternalStore } from "react";
import type { Actions } from "./actions.ts";
import type { AppState, ThreadKey, ThreadState, ThreadSummary } from "./model.ts";
import { keyText } from "./model.ts";

/** Source of the state for components. */
export interface StateSource {
  readonly getState: () => AppState;
  readonly subscribe: (listener: () => void) => () => void;
}

const StateContext = createContext<{ readonly source: StateSource; readonly actions: Actions } | null>(null);

/** Gives the components below it the state and the actions. */
export function StateProvider(props: {
  readonly source: StateSource;
  readonly actions: Actions;
  readonly children: ReactNode;
}): ReactNode {
  const { source, actions, children } = props;
  const value = useRef({ source, actions });
  return <StateContext value={value.current}>{children}</StateContext>;
}

function useProvided(): { readonly source: StateSource; readonly actions: Actions } {
  const provided = useContext(StateContext);
  if (provided === null) throw new Error("Wrap the component in a StateProvider");
  return provided;
}

/**
 * Reads a part of the state; the component renders again when that part changed. The selector must give the same object
 * for the same state: select parts, do not build new ones, or pass `isEqual`.
 */
export function useStore<T>(select: (state: AppState) => T, isEqual: (before: T, now: T) => boolean = Object.is): T {
  const { source } = useProvided();
  const last = useRef<{ readonly value: T } | null>(null);
  const snapshot = (): T => {
    const value = select(source.getState());
    if (last.current !== null && isEqual(last.current.value, value)) return last.current.value;
    last.current = { value };
    return value;
  };
  return useSyncExternalStore(source.subscribe, snapshot);
}

/** The actions of components. */
export function useActions(): Actions {
  return useProvided().actions;
}

/** An open thread; null while it is not open. */
export function useThread(key: ThreadKey | null): ThreadState | null {
  const text = key === null ? null : keyText(key);
  return useStore(useCallback((state) => (text === null ? null : (state.open.get(text) ?? null)), [text]));
}

/** A thread's summary. */
export function useSummary(key: ThreadKey | null): ThreadSummary | null {
  const text = key === null ? null : keyText(key);
  return useStore(useCallback((state) => (text === null ? null : (state.threads.get(text) ?? null)), [text]));
}
