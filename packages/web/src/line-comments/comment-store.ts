import { useSyncExternalStore } from "react";

/** A comment on a line of a diff that is not sent yet. */
export interface LineComment {
  readonly id: string;
  /** Path of the file, from the thread's folder where it lies below it. */
  readonly path: string;
  /** Number of the line in the new file, or in the old one for a removed line. */
  readonly line: number;
  /** Last line, where the comment is about several. */
  readonly endLine: number | null;
  readonly removed: boolean;
  /** Text of the line, so that it can be found when numbers have moved; empty where it is not known. */
  readonly code: string;
  readonly text: string;
}

const prefix = "quire:comments:";
/** Comments of a thread, threads with comments, and characters of a comment and of its line. */
const limits = { comments: 100, threads: 20, text: 4000, code: 300 } as const;
const none: readonly LineComment[] = [];
const known = new Map<string, readonly LineComment[]>();
const listeners = new Set<() => void>();

/** The comments of a thread, oldest first; the same array until one changes. */
function lineComments(thread: string): readonly LineComment[] {
  const there = known.get(thread) ?? stored(thread);
  known.set(thread, there);
  return there;
}

/** The comments of a thread, for a component; none without a thread. */
export function useLineComments(thread: string | null): readonly LineComment[] {
  return useSyncExternalStore(subscribe, () => (thread === null ? none : lineComments(thread)));
}

/** Adds a comment. False when there are too many already. */
export function addLineComment(thread: string, comment: Omit<LineComment, "id">): boolean {
  const before = lineComments(thread);
  if (before.length >= limits.comments) return false;
  const { text, code } = comment;
  const id = crypto.randomUUID();
  write(thread, [...before, { ...comment, id, text: text.slice(0, limits.text), code: code.slice(0, limits.code) }]);
  return true;
}

/** Changes the words of a comment. */
export function changeLineComment(thread: string, id: string, text: string): void {
  const change = (each: LineComment): LineComment =>
    each.id === id ? { ...each, text: text.slice(0, limits.text) } : each;
  write(thread, lineComments(thread).map(change));
}

/** Removes comments by their ids. */
export function removeLineComments(thread: string, ids: readonly string[]): void {
  write(
    thread,
    lineComments(thread).filter(({ id }) => !ids.includes(id)),
  );
}

function subscribe(listener: () => void): () => void {
  const elsewhere = ({ key }: StorageEvent): void => {
    if (key?.startsWith(prefix) !== true) return;
    known.delete(key.slice(prefix.length));
    listener();
  };
  listeners.add(listener);
  addEventListener("storage", elsewhere);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", elsewhere);
  };
}

function write(thread: string, comments: readonly LineComment[]): void {
  known.set(thread, comments);
  try {
    if (comments.length === 0) localStorage.removeItem(prefix + thread);
    else {
      localStorage.setItem(prefix + thread, JSON.stringify(comments));
      prune(prefix + thread);
    }
  } catch {
    // They then last until the page is reloaded.
  }
  for (const listener of listeners) listener();
}

/** With too many threads, some others lose their comments. */
function prune(kept: string): void {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix) && key !== kept);
  for (const key of keys.slice(0, Math.max(0, keys.length + 1 - limits.threads))) localStorage.removeItem(key);
}

function stored(thread: string): readonly LineComment[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(prefix + thread) ?? "[]");
    return Array.isArray(value) ? value.filter(isComment).slice(0, limits.comments) : none;
  } catch {
    return none;
  }
}

function isComment(value: unknown): value is LineComment {
  const { id, path, line, text, code } = (value ?? {}) as Record<string, unknown>;
  return typeof line === "number" && [id, path, text, code].every((each) => typeof each === "string");
}
