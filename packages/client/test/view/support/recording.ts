import { readFileSync } from "node:fs";
import type { Turn } from "@quire/protocol";

/** What a real server sent: notifications, requests, and replies by the method they answer. */
export interface Recorded {
  readonly method?: string;
  readonly id?: number;
  readonly params?: unknown;
  readonly reply?: string;
  readonly result?: unknown;
}

/** Reads a recording of the traffic of Codex 0.166.0. */
export function recording(name: string): readonly Recorded[] {
  // Compiled tests run from another folder of the package.
  const text = readFileSync(new URL(`../../../test/view/fixtures/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Recorded);
}

/** The turns as the server stored them, told at the end of a recording, oldest first. */
export function storedTurns(messages: readonly Recorded[]): readonly Turn[] {
  const read = messages.findLast(({ reply }) => reply === "thread/read" || reply === "thread/turns/list");
  const result = read?.result as { thread?: { turns: Turn[] }; data?: Turn[] } | undefined;
  return result?.thread?.turns ?? result?.data?.toReversed() ?? [];
}
