import { LimitError, type LimitName, type Spent } from "./limit-error.ts";
import { costOf, type ModelPrices } from "./prices.ts";
import { addUsage, noUsage, type TokenUsage } from "./token-usage.ts";

/** The limits of a {@link TurnBudget}. Set at least one. */
export interface TurnLimits {
  /** Turns that may be started. */
  readonly maxTurns?: number | undefined;
  /** Tokens, input and output together. */
  readonly maxTotalTokens?: number | undefined;
  /** US dollars. Needs prices for the models in use. */
  readonly maxCost?: number | undefined;
  /** Milliseconds since the first turn began. */
  readonly maxMs?: number | undefined;
}

/** A turn's part of a budget. */
export interface TurnShare {
  /** Replaces what the turn had used before. */
  record(usage: TokenUsage): void;
}

/** Counts what turns use of common limits. Give the same budget to all threads that share it. */
export class TurnBudget {
  readonly limits: TurnLimits;
  readonly #turns: { usage: TokenUsage; readonly prices: ModelPrices | undefined }[] = [];
  #beganAt: number | undefined;

  constructor(limits: TurnLimits) {
    const set = Object.entries(limits).filter(([, limit]) => limit !== undefined);
    if (set.length === 0) throw new TypeError("A budget needs a limit: maxTurns, maxTotalTokens, maxCost or maxMs");
    for (const [name, limit] of set) {
      if (!names.includes(name as LimitName))
        throw new TypeError(`A budget has no limit "${name}": it has ${names.join(", ")}`);
      if (!(typeof limit === "number" && limit > 0 && Number.isFinite(limit)))
        throw new TypeError(`${name} must be a positive number, not ${String(limit)}`);
    }
    this.limits = Object.freeze({ ...limits });
  }

  /** Everything that was spent so far, by turns that run now too. */
  get spent(): Spent {
    let usage = noUsage;
    let cost = 0;
    for (const turn of this.#turns) {
      usage = addUsage(usage, turn.usage);
      if (turn.prices) cost += costOf(turn.usage, turn.prices);
    }
    const ms = this.#beganAt === undefined ? 0 : Math.max(0, Math.round(performance.now() - this.#beganAt));
    return { turns: this.#turns.length, usage, cost, ms };
  }

  /** Milliseconds that are left; undefined without `maxMs`. */
  get remainingMs(): number | undefined {
    return this.limits.maxMs === undefined ? undefined : Math.max(0, this.limits.maxMs - this.spent.ms);
  }

  /** Counts a turn that is about to start. Throws a {@link LimitError} where nothing is left for it. */
  begin(prices: ModelPrices | undefined): TurnShare {
    if (this.limits.maxCost !== undefined && prices === undefined)
      throw new TypeError("maxCost needs the price of the model: pass `model`, and `prices` with an entry for it");
    this.#refuse((used, most) => used >= most);
    this.#beganAt ??= performance.now();
    const turn = { usage: noUsage, prices };
    this.#turns.push(turn);
    return {
      record: (usage) => {
        turn.usage = usage;
      },
    };
  }

  /** Throws a {@link LimitError} where a limit is exceeded. A limit may be used up to the last. */
  check(): void {
    this.#refuse((used, most) => used > most);
  }

  #refuse(isOver: (used: number, most: number) => boolean): void {
    const { spent } = this;
    const used = {
      maxTurns: spent.turns,
      maxTotalTokens: spent.usage.totalTokens,
      maxCost: spent.cost,
      maxMs: spent.ms,
    };
    for (const name of names) {
      const most = this.limits[name];
      if (most !== undefined && isOver(used[name], most)) throw new LimitError(name, most, spent);
    }
  }
}

const names = ["maxTurns", "maxTotalTokens", "maxCost", "maxMs"] as const satisfies readonly LimitName[];
