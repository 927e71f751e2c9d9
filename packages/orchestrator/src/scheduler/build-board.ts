import { type BoardQuery, type Card, type Column, type ColumnName, columnNames } from "../events/board.ts";
import type { TokenCounts } from "../events/snapshot.ts";
import { addTokens } from "../session/token-meter.ts";
import { costOf } from "../state/budget.ts";
import type { Claim } from "../state/claim.ts";
import type { Scheduler } from "./scheduler.ts";

type Cards = Readonly<Record<ColumnName, readonly Card[]>>;

/** All issues as cards, kept for as long as nothing changes: many readers ask at once. */
export class BoardCards {
  readonly #scheduler: Scheduler;
  #cards: Cards | undefined;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    scheduler.options.bus.subscribe(({ type }) => {
      if (type === "changed") this.#cards = undefined;
    });
  }

  /** The columns, as far as they are asked for. */
  columns({ search, limit }: BoardQuery): readonly Column[] {
    this.#cards ??= cardsOf(this.#scheduler);
    const words = search.trim().toLowerCase();
    return columnNames.map((name) => {
      const all = this.#cards?.[name] ?? [];
      const found = words === "" ? all : all.filter((card) => has(card, words));
      return { name, count: found.length, cards: found.slice(0, limit) };
    });
  }
}

const has = ({ identifier, title, state }: Card, words: string) =>
  `${identifier}\n${title}\n${state}`.toLowerCase().includes(words);

function cardsOf(scheduler: Scheduler): Cards {
  const { ledger, core } = scheduler;
  const deliveries = new Map(core.options.deliveries.open().map((delivery) => [delivery.issue.id, delivery]));
  const { price } = scheduler.options.store.current.config.budget;
  const isPriced = price.input > 0 || price.output > 0;
  const delivered = (issueId: string) => {
    const { pull = null, checks = "none", review = "none" } = deliveries.get(issueId) ?? {};
    return { pullUrl: pull?.url ?? null, checks, review } as const;
  };
  const usage = (tokens: TokenCounts) => ({
    tokens: tokens.totalTokens,
    usd: isPriced ? costOf(tokens, price) : null,
  });
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
      reason: state.lastEvent?.message ?? null,
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
  const ended = [...ledger.finished.values()].reverse().map((one): Card => {
    const isOpen = deliveries.get(one.issueId)?.pull != null;
    return {
      issueId: one.issueId,
      identifier: one.identifier,
      title: one.title,
      url: one.url,
      state: one.state,
      priority: null,
      column: isOpen ? "review" : "finished",
      position: null,
      reason: one.error?.message ?? null,
      runs: one.attempts,
      turns: one.turnCount,
      ...usage(one.tokens),
      threadId: one.threadId,
      host: one.host ?? null,
      ...delivered(one.issueId),
      since: one.at,
    };
  });
  return {
    waiting: waitingCards(scheduler),
    running,
    retrying,
    blocked,
    review: ended.filter(({ column }) => column === "review"),
    finished: ended.filter(({ column }) => column === "finished"),
  };
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
