import type { ThreadItem, ThreadSearchOccurrence, ThreadTimelineEntry, Turn } from "@quire/protocol";
import type { Handlers } from "../../context/processor.ts";
import { coreOf } from "../../features/open-core.ts";
import { characterBoundary } from "../../lib/character-boundary.ts";
import { invalidRequest } from "../../lib/rpc-errors.ts";
import { cursorAtTurn } from "../../thread/pages.ts";
import { readRecord } from "./read-record.ts";

const defaultPage = 100;
const maxPage = 1000;
/** Characters of a snippet on either side of a match. */
const around = 80;

/** A thread as a list of events, and searching it. */
export const handlers: Handlers = {
  "thread/timeline/list": async ({ threadId, cursor, limit }, { server }) => {
    const { record, thread } = await readRecord(coreOf(server), threadId);
    if (thread?.ephemeral) throw invalidRequest("ephemeral threads do not support thread/timeline/list");
    const entries = record.turns.flatMap(entriesOf).map((entry, position) => ({ ...entry, position }));
    const given = cursor ?? null;
    const end = given === null ? entries.length : Number(/^timeline:(\d+)$/.exec(given)?.[1] ?? Number.NaN);
    if (Number.isNaN(end)) throw invalidRequest("invalid thread timeline cursor");
    const start = Math.max(0, end - size(limit));
    return {
      // The schema has other names for the fields of turns than what is sent.
      data: entries.slice(start, end) as unknown as ThreadTimelineEntry[],
      nextCursor: start > 0 ? `timeline:${start}` : null,
      activeRealtimeSessionAtPageStart: null,
    };
  },

  "thread/searchOccurrences": async ({ threadId, searchTerm, cursor, limit }, { server }) => {
    if (searchTerm.trim() === "") throw invalidRequest("thread/searchOccurrences requires a non-empty searchTerm");
    const { record, thread } = await readRecord(coreOf(server), threadId);
    if (thread?.ephemeral) throw invalidRequest("ephemeral threads do not support thread/searchOccurrences");
    const given = cursor ?? null;
    const start = given === null ? 0 : Number(/^occurrences:(\d+)$/.exec(given)?.[1] ?? Number.NaN);
    if (Number.isNaN(start)) throw invalidRequest(`invalid cursor: ${given}`);
    const all = record.turns.flatMap((turn, index) => occurrencesIn(turn, index, searchTerm));
    const end = start + size(limit);
    return { data: all.slice(start, end), nextCursor: end < all.length ? `occurrences:${end}` : null };
  },
};

const size = (limit: number | null | undefined): number => Math.min(maxPage, Math.max(1, limit ?? defaultPage));

function entriesOf(turn: Turn): object[] {
  const { id: turnId, startedAt, completedAt, durationMs, status, error } = turn;
  const items = turn.items.map((item) => ({ type: "item", turnId, item }));
  const ended = { type: "turnCompleted", turnId, status, error, startedAt, completedAt, durationMs };
  return [{ type: "turnStarted", turnId, startedAt }, ...items, ...(status === "inProgress" ? [] : [ended])];
}

function occurrencesIn(turn: Turn, index: number, term: string): ThreadSearchOccurrence[] {
  const pattern = new RegExp(term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "giu");
  return turn.items.flatMap((item) => {
    const text = textOf(item);
    return [...text.matchAll(pattern)].map((match) => {
      const from = characterBoundary(text, Math.max(0, match.index - around));
      const to = characterBoundary(text, Math.min(text.length, match.index + match[0].length + around));
      return {
        turnId: turn.id,
        itemId: item.id,
        snippet: text.slice(from, to),
        snippetMatchRange: { start: match.index - from, end: match.index - from + match[0].length },
        turnCursor: cursorAtTurn(index),
      };
    });
  });
}

/** The text of an item; actions are not searched. */
function textOf(item: ThreadItem): string {
  if (item.type === "agentMessage") return item.text;
  if (item.type !== "userMessage") return "";
  return item.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
