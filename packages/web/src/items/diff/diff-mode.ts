import { useSyncExternalStore } from "react";
import { useItemContext } from "../item-context.ts";

/** How diffs are shown. */
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

/** How the user wants to see diffs, in every place the same, and how to change it. */
export function useDiffMode(): readonly [DiffMode, (mode: DiffMode) => void] {
  return [useSyncExternalStore(subscribe, current), choose];
}

/** Whether there is room for two columns. */
export const useRoomForSplit = (): boolean => useItemContext().wide === true;
