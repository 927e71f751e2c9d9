import type { Delivery } from "../deliver/delivery.ts";
import { type BoardQuery, type Card, type Column, type ColumnName, columnNames } from "../events/board.ts";
import type { FinishedIssue, TimelineEntry, TokenCounts } from "../events/snapshot.ts";
import { addTokens } from "../session/token-meter.ts";
import { costOf } from "../state/budget.ts";
import type { Claim } from "../state/claim.ts";
import type { FinishedSearch } from "../state/claims.ts";
import type { Scheduler } from "./scheduler.ts";

/** Searches through finished issues that are kept. */
const maxSearches = 100;

type Cards = Readonly<Record<Exclude<ColumnName, "finished">, readonly Card[]>>;

/** All issues as cards, kept for as long as nothing changes: many readers ask at once. */
export class BoardCards {
  readonly #scheduler: Scheduler;
  #cards: Cards | undefined;
  /** Finished issues as they were last asked for, until these change: a search reads all of the file. */
  readonly #found = new Map<string, FinishedSearch>();
  #foundOf = "";

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    scheduler.options.bus.subscribe(({ type }) => {
      if (type === "changed") this.#cards = undefined;
    });
  }

  /** The columns, as far as they are asked for. */
  columns({ search, limit, limits = {} }: BoardQuery): readonly Column[] {
    this.#cards ??= cardsOf(this.#scheduler);
    const cards = this.#cards;
    const words = search.trim().toLowerCase();
    return columnNames.map((name) => {
      const most = limits[name] ?? limit;
      if (name === "finished") return this.#finishedColumn(cards.review, words, most);
      const found = words === "" ? cards[name] : cards[name].filter((card) => has(card, words));
      return { name, count: found.length, cards: found.slice(0, most) };
    });
  }

  #finishedColumn(review: readonly Card[], words: string, limit: number): Column {
    const { ledger } = this.#scheduler;
    const inReview = new Set(review.map(({ issueId }) => issueId));
    const of = `${ledger.finishedVersion} ${[...inReview].join()}`;
    if (of !== this.#foundOf || this.#found.size >= maxSearches) this.#found.clear();
    this.#foundOf = of;
    const key = `${limit} ${words}`;
    const search = this.#found.get(key) ?? ledger.searchFinished(words, limit, inReview);
    this.#found.set(key, search);
    const cards = search.found.map((one) => endedCard(this.#scheduler, one, "finished"));
    return { name: "finished", count: search.count, cards };
  }
}

const has = ({ identifier, title, state }: Card, words: string) =>
  `${identifier}\n${title}\n${state}`.toLowerCase().includes(words);

function cardsOf(scheduler: Scheduler): Cards {
  const { ledger, core } = scheduler;
  const deliveries = new Map(core.options.deliveries.open().map((delivery) => [delivery.issue.id, delivery]));
  const delivered = (issueId: string) => deliveryOf(deliveries.get(issueId));
  const usage = (tokens: TokenCounts) => usageOf(scheduler, tokens);
  const claimed = (claim: Claim, column: ColumnName, more: Partial<Card>): Card => ({
    issueId: claim.issue.id,
    identifier: claim.issue.identifier,
    title: claim.issue.title,
    url: claim.issue.url,
    state: claim.issue.state,
    priority: claim.issue.priority,
    column,
    position: null,
    reason: null,
    runs: claim.runs,
    turns: claim.turns,
    ...usage(claim.tokens),
    threadId: claim.threadId,
    host: claim.host ?? null,
    ...delivered(claim.issue.id),
    since: null,
    ...more,
  });
  const running = [...ledger.running.values()].map(({ claim, run: { state } }) =>
    claimed({ ...claim, issue: state.issue }, "running", {
      turns: claim.turns + state.turnCount,
      ...usage(addTokens(claim.tokens, state.tokens)),
      threadId: state.threadId ?? claim.threadId,
      reason: lastOf(state.lastEvent),
      since: state.startedAt,
    }),
  );
  const retrying = [...ledger.retries.values()].map((claim) =>
    claimed(claim, "retrying", { reason: claim.error ?? "Still active: will continue", since: claim.dueAt }),
  );
  const blocked = [...ledger.blocked.values()].map((claim) => {
    const { code, message } = claim.reason;
    return claimed(claim, "blocked", { reason: `${code}: ${message}`, since: claim.since });
  });
  const review = [...deliveries.values()].flatMap(({ issue, pull }) => {
    const end = pull === null || ledger.isClaimed(issue.id) ? undefined : ledger.lastEnd(issue.id);
    return end ? [endedCard(scheduler, end, "review")] : [];
  });
  return {
    waiting: waitingCards(scheduler),
    running,
    retrying,
    blocked,
    review: review.sort((one, other) => (other.since ?? 0) - (one.since ?? 0)),
  };
}

/** The last that happened, for people: the message of what begins is only an id. */
function lastOf(event: TimelineEntry | null): string | null {
  if (event === null) return null;
  return /_started$/.test(event.kind) ? event.kind.replaceAll("_", " ") : event.message;
}

function endedCard(scheduler: Scheduler, one: FinishedIssue, column: ColumnName): Card {
  return {
    issueId: one.issueId,
    identifier: one.identifier,
    title: one.title,
    url: one.url,
    state: one.state,
    priority: null,
    column,
    position: null,
    reason: one.error?.message ?? null,
    runs: one.attempts,
    turns: one.turnCount,
    ...usageOf(scheduler, one.tokens),
    threadId: one.threadId,
    host: one.host ?? null,
    ...deliveryOf(scheduler.core.options.deliveries.of(one.issueId)),
    since: one.at,
  };
}

function deliveryOf({ pull = null, checks = "none", review = "none" }: Partial<Delivery> = {}) {
  return { pullUrl: pull?.url ?? null, checks, review } as const;
}

function usageOf({ options }: Scheduler, tokens: TokenCounts) {
  const { price } = options.store.current.config.budget;
  const isPriced = price.input > 0 || price.output > 0;
  return { tokens: tokens.totalTokens, usd: isPriced ? costOf(tokens, price) : null };
}

function waitingCards(scheduler: Scheduler): readonly Card[] {
  let next = 0;
  return scheduler.allWaiting().map(({ isReady, priority, ...entry }): Card => {
    if (isReady) next++;
    return {
      ...entry,
      priority,
      column: "waiting",
      position: isReady ? next : null,
      ...{ runs: 0, turns: 0, tokens: 0, usd: null, threadId: null, host: null, pullUrl: null, since: null },
      ...({ checks: "none", review: "none" } as const),
    };
  });
}
