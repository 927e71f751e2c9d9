import { addUsage, noUsage, readUsage, subtractUsage, type TokenUsage } from "./token-usage.ts";

/**
 * Counts the tokens of one evaluation from the server's updates. An update names the last model response and the whole
 * thread; what a turn used is the difference of two totals of the thread, since it may consist of many responses.
 */
export class UsageMeter {
  /** The thread's total before the evaluation; undefined until it is known. */
  #baseline: TokenUsage | undefined;
  /** The thread's total now. */
  #total: TokenUsage | undefined;
  /** The usage from before the server restarted its count, or from responses without a total. */
  #carried = noUsage;
  #known = false;

  /** @param isFresh Whether the thread is a new one, whose total begins at zero. */
  constructor(isFresh: boolean) {
    if (isFresh) this.#baseline = noUsage;
  }

  /** True when it is known what the thread had used before. */
  get hasBaseline(): boolean {
    return this.#baseline !== undefined;
  }

  /** Takes an update from before the turn: what a resumed thread had used already. */
  setBaseline(tokenUsage: unknown): void {
    this.#baseline = readUsage(parts(tokenUsage).total) ?? this.#baseline;
  }

  /** Takes an update of the evaluation. Returns whether it changed anything. */
  update(tokenUsage: unknown): boolean {
    const { last, total } = parts(tokenUsage);
    const response = readUsage(last);
    if (response === undefined) return false;
    this.#known = true;
    const whole = readUsage(total);
    if (whole === undefined) this.#carried = addUsage(this.#carried, response);
    else this.#advance(whole, response);
    return true;
  }

  /** The usage of the evaluation so far; undefined until the server reports any. */
  get usage(): TokenUsage | undefined {
    if (!this.#known) return undefined;
    if (this.#total === undefined) return this.#carried;
    return addUsage(this.#carried, subtractUsage(this.#total, this.#baseline ?? noUsage));
  }

  #advance(whole: TokenUsage, response: TokenUsage): void {
    const before = this.#total ?? this.#baseline;
    if (before !== undefined && whole.totalTokens < before.totalTokens) {
      this.#carried = this.usage ?? noUsage;
      this.#baseline = undefined;
    }
    // Where the total before is unknown, this update shows it: its total without its own response.
    this.#baseline ??= subtractUsage(whole, response);
    this.#total = whole;
  }
}

function parts(tokenUsage: unknown): { readonly last?: unknown; readonly total?: unknown } {
  return typeof tokenUsage === "object" && tokenUsage !== null ? tokenUsage : {};
}
