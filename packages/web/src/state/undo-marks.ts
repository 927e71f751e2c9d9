import { useSyncExternalStore } from "react";

/** A note of what went back, and how it is restored. */
export interface UndoMark {
  /** The first turn that was taken out of the conversation; null where only files went back. */
  readonly turnId: string | null;
  /** The last turn at that moment. With another one the conversation went on, and nothing is hidden any more. */
  readonly lastTurnId: string;
  /** The turn whose beginning the files went back to. */
  readonly from: string;
  /** The number of files that went back. */
  readonly files: number;
  /** The commit that holds the files as they were; null where they are restored by the turns' changes. */
  readonly commit: string | null;
  /** Paths of the files, from the repository's top or as the turns name them. */
  readonly paths: readonly string[];
}

const storageKey = "quire.undo";
/** Threads with a mark; the oldest is forgotten first. */
const maxMarks = 50;
const listeners = new Set<() => void>();
let marks: ReadonlyMap<string, UndoMark> | undefined;

/** The mark of a thread, until it is restored or a message follows. The conversation is cut with that message. */
export function undoMark(key: string): UndoMark | null {
  marks ??= stored();
  return marks.get(key) ?? null;
}

/** Sets or, with null, forgets a mark. */
export function setUndoMark(key: string, mark: UndoMark | null): void {
  const next = new Map(marks ?? stored());
  next.delete(key);
  if (mark !== null) next.set(key, mark);
  for (const old of [...next.keys()].slice(0, Math.max(0, next.size - maxMarks))) next.delete(old);
  marks = next;
  try {
    localStorage.setItem(storageKey, JSON.stringify([...next]));
  } catch {
    // A full or forbidden storage: the mark lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

/** The mark of a thread, for a component. */
export function useUndoMark(key: string): UndoMark | null {
  return useSyncExternalStore(subscribe, () => undoMark(key));
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function stored(): ReadonlyMap<string, UndoMark> {
  try {
    return new Map(JSON.parse(localStorage.getItem(storageKey) ?? "[]") as [string, UndoMark][]);
  } catch {
    return new Map();
  }
}
