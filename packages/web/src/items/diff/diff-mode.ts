import { useSyncExternalStore } from "react";
import { useItemContext } from "../item-context.ts";

/** Layout of diffs. */
export type DiffMode = "unified" | "split";

const storageKey = "quire.diff";
const listeners = new Set<() => void>();
let mode: DiffMode | undefined;

function current(): DiffMode {
  mode ??= stored();
  return mode;
}

function stored(): DiffMode {
  try {
    return localStorage.getItem(storageKey) === "split" ? "split" : "unified";
  } catch {
    // Storage can be forbidden; the choice then lasts as long as the page.
    return "unified";
  }
}

function choose(next: DiffMode): void {
  mode = next;
  try {
    localStorage.setItem(storageKey, next);
  } catch {
    // As above.
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The user's layout for all diffs, and a function to change it. */
export function useDiffMode(): readonly [DiffMode, (mode: DiffMode) => void] {
  return [useSyncExternalStore(subscribe, current), choose];
}

/** True where two columns fit. */
export const useRoomForSplit = (): boolean => useItemContext().wide === true;
