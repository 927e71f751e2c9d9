import { useSyncExternalStore } from "react";

/** Notes that the user made of threads in this browser, by `keyText`. */
export interface ThreadNotes {
  readonly pinned: readonly string[];
  /** Time until which a thread does not ask for attention, in ms since 1970. */
  readonly snoozed: Readonly<Record<string, number>>;
}

const storageKey = "quire.notes";
/** Pins and snoozes that are kept; the oldest are dropped first. */
const limit = 200;
const none: ThreadNotes = { pinned: [], snoozed: {} };
const listeners = new Set<() => void>();
let current: ThreadNotes | undefined;

/** The notes as they are now. */
export function readNotes(): ThreadNotes {
  current ??= stored();
  return current;
}

/** Pins a thread to the top of the sidebar, or lets go of it. */
export function setPinned(key: string, pinned: boolean): void {
  const others = readNotes().pinned.filter((each) => each !== key);
  write({ ...readNotes(), pinned: pinned ? [...others, key].slice(-limit) : others });
}

/** Keeps a thread from asking for attention until a time; null lets it ask again. */
export function setSnoozed(key: string, untilMs: number | null): void {
  const others = Object.entries(readNotes().snoozed).filter(([each, until]) => each !== key && until > Date.now());
  const entries = untilMs === null ? others : [...others, [key, untilMs] as const].slice(-limit);
  write({ ...readNotes(), snoozed: Object.fromEntries(entries) });
}

/** The notes, for a component. */
export function useNotes(): ThreadNotes {
  return useSyncExternalStore(subscribe, readNotes);
}

function subscribe(listener: () => void): () => void {
  const elsewhere = (event: StorageEvent): void => {
    if (event.key !== storageKey) return;
    current = undefined;
    listener();
  };
  listeners.add(listener);
  addEventListener("storage", elsewhere);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", elsewhere);
  };
}

function write(notes: ThreadNotes): void {
  current = notes;
  try {
    localStorage.setItem(storageKey, JSON.stringify(notes));
  } catch {
    // They then hold until the page is reloaded.
  }
  for (const listener of listeners) listener();
}

function stored(): ThreadNotes {
  try {
    const { pinned, snoozed } = JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Record<string, unknown>;
    return {
      pinned: Array.isArray(pinned) ? pinned.filter((key) => typeof key === "string") : [],
      snoozed: Object.fromEntries(
        Object.entries(snoozed ?? {}).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
      ),
    };
  } catch {
    return none;
  }
}
