import type { RunEnd } from "./run.ts";

const failures: ReadonlySet<string> = new Set(["Failed", "TimedOut", "Stalled"]);

/** Counts runs in a row that fail for the same reason: the next ones would do so as well. */
export class FailureStreak {
  #last: { readonly code: string; readonly count: number } | undefined;

  /** Notes how a run ended; returns why to pause, if there were as many as the limit. */
  note({ outcome, error }: RunEnd, limit: number | null): string | undefined {
    if (outcome === "Succeeded") this.#last = undefined;
    if (!failures.has(outcome)) return undefined;
    const code = error?.code ?? outcome;
    const count = this.#last?.code === code ? this.#last.count + 1 : 1;
    const isOver = limit !== null && count >= limit;
    this.#last = isOver ? undefined : { code, count };
    if (!isOver) return undefined;
    return `${count} runs in a row failed as ${code} (budget.same_failures is ${limit}): ${error?.message ?? ""}`;
  }
}
