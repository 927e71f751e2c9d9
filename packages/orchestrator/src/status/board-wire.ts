import type { Card, Column } from "../events/board.ts";
import type { Snapshot } from "../events/snapshot.ts";
import { instant, stateToWire, type WireObject } from "./wire.ts";

/** A column as the API gives it. */
export function columnToWire({ name, count, cards }: Column): WireObject {
  return { name, count, cards: cards.map(cardToWire) };
}

/** A card as the API gives it. */
export function cardToWire(card: Card): WireObject {
  return {
    issue_id: card.issueId,
    issue_identifier: card.identifier,
    issue_title: card.title,
    issue_url: card.url,
    state: card.state,
    priority: card.priority,
    column: card.column,
    position: card.position,
    reason: card.reason,
    runs: card.runs,
    turns: card.turns,
    tokens: card.tokens,
    usd: card.usd,
    thread_id: card.threadId,
    host: card.host,
    pull_url: card.pullUrl,
    checks: card.checks,
    review: card.review,
    since: instant(card.since),
  };
}

/** The state without its lists. */
export function summaryToWire(snapshot: Snapshot): WireObject {
  const { counts, ...rest } = stateToWire({
    ...snapshot,
    running: [],
    retrying: [],
    blocked: [],
    finished: [],
    waiting: [],
  });
  const { running, retrying, blocked } = snapshot;
  return {
    ...rest,
    counts: { ...(counts as object), running: running.length, retrying: retrying.length, blocked: blocked.length },
  };
}
