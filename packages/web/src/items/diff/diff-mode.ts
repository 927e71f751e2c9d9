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

/** Narrower than this, two columns of code cannot be read. */
const wide = "(min-width: 860px)";

const subscribeWidth = (listener: () => void): (() => void) => {
  const query = matchMedia(wide);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
};

/** Whether there is room for two columns: only in a thread, and only in a wide window. */
export function useRoomForSplit(): boolean {
  const context = useItemContext();
  return useSyncExternalStore(subscribeWidth, () => matchMedia(wide).matches) && context.wide === true;
}
