import { visibleText } from "@quire/protocol";
import { stateWords } from "../words/words.ts";
import type { ThreadSummary } from "./model.ts";

/** Title of a thread: its name, else its first message, else that it is new. A copy is not called as its original is. */
export function threadTitle({ name, preview, agentNickname, forkedFrom, parent }: ThreadSummary): string {
  const first = preview.trim().split("\n")[0] ?? "";
  const isFork = forkedFrom !== null && parent === null;
  const unnamed = isFork
    ? first === ""
      ? stateWords.forkTitle
      : stateWords.fork(first)
    : first || stateWords.newThread;
  const line = name || agentNickname || unnamed;
  return visibleText(line, { oneLine: true, prose: true });
}

/** The last part of a path, as folders are called in lists. */
export function folderName(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== "");
  return parts.at(-1) ?? (path === "" ? stateWords.noFolder : path);
}

/** A path with the user's home folder as `~`. */
export function shortPath(path: string, home: string | null): string {
  if (home === null || home === "" || home === "/") return path;
  if (path === home) return "~";
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

const units: readonly (readonly [seconds: number, suffix: string])[] = [
  [31_536_000, "y"],
  [2_592_000, "mo"],
  [604_800, "w"],
  [86_400, "d"],
  [3600, "h"],
  [60, "m"],
];

/** Time since an instant, in as few letters as a list has room for. */
export function ago(seconds: number, nowMs: number): string {
  const past = Math.max(0, nowMs / 1000 - seconds);
  for (const [size, suffix] of units) if (past >= size) return `${Math.floor(past / size)}${suffix}`;
  return "now";
}
