import { useSyncExternalStore } from "react";

/** A file to be shown, by its absolute path. */
export interface FileTarget {
  readonly path: string;
  /** The line to be shown, counted from 1; null for the beginning. */
  readonly line: number | null;
}

let target: FileTarget | null = null;
const listeners = new Set<() => void>();

/** Shows a file beside the thread; null shows all files. */
export function showFile(next: FileTarget | null): void {
  target = next;
  for (const listener of listeners) listener();
}

/** The file that is shown; another object each time one is asked for. */
export function useFileTarget(): FileTarget | null {
  return useSyncExternalStore(subscribe, () => target);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Reads a file's name as agents write it: `src/a.ts`, `/x/a.ts:12`, `a.ts#L12`, `file:///x/a.ts`. Null for what names
 * none.
 */
export function parseFileName(text: string, cwd: string | null): FileTarget | null {
  const match = /^(?:file:\/\/)?(.+?)(?:(?::|#L)(\d+)(?:[:-]\S*)?)?$/.exec(text.trim());
  const [, named = "", line] = match ?? [];
  if (named === "" || /[\n\r\0]/.test(named) || /^[a-z][a-z0-9+.-]+:/i.test(named)) return null;
  const isAbsolute = named.startsWith("/");
  if (!isAbsolute && cwd === null) return null;
  const path = isAbsolute ? named : `${cwd}/${named.replace(/^\.\//, "")}`;
  return { path: withoutDots(path), line: line === undefined ? null : Number(line) };
}

/** True for text that can only be a file's name: it has a folder or a line, and an ending. */
export function looksLikeFile(text: string): boolean {
  return /^(?=.*(?:\/|:\d))[\w@.+~-]*(?:\/[\w@.+()[\]-]+)*\.[A-Za-z]\w{0,9}(?::\d+(?:[:-]\d+)?)?$/.test(text);
}

function withoutDots(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    // An empty part at the beginning would make it the name of another machine.
    else if (part !== "." && part !== "") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
