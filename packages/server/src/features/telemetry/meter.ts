import { errorMessage } from "../../lib/error-message.ts";
import type { Attributes } from "./records.ts";

const everyMs = 60_000;
/** Series, each a name with its attributes, between two exports; further ones are not counted. */
const maxSeries = 2000;

/** The unit decides the bounds of a histogram. */
type Unit = "ms" | "1";

/** A count, or values in a histogram, since metrics were last sent. */
export interface Series {
  readonly name: string;
  readonly attributes: Attributes;
  /** `null` for a count. */
  readonly histogram: { readonly unit: Unit; readonly bounds: readonly number[]; readonly buckets: number[] } | null;
  count: number;
  sum: number;
  min: number;
  max: number;
}

/** The measurements of a period. */
export interface Measured {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly series: readonly Series[];
}

const bounds: Readonly<Record<Unit, readonly number[]>> = {
  ms: [
    0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 1250, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000, 4500, 5000,
    6000, 7000, 7500, 8000, 9000, 10_000, 12_000, 15_000, 20_000, 30_000, 60_000, 120_000,
  ],
  "1": [0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000],
};

/** Counts and measures, and exports every minute. Measurements that a collector refuses are lost. */
export class Meter {
  readonly #send: (measured: Measured) => Promise<void>;
  readonly #warn: (problem: string) => void;
  #series = new Map<string, Series>();
  #sinceMs: number = Date.now();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #warned = false;

  /** @param warn Called once when something is lost. */
  constructor(send: (measured: Measured) => Promise<void>, warn: (problem: string) => void) {
    this.#send = send;
    this.#warn = warn;
  }

  count(name: string, attributes: Attributes): void {
    const series = this.#at(name, attributes, null);
    if (series) series.count++;
  }

  measure(name: string, value: number, { unit, ...attributes }: Attributes & { readonly unit: Unit }): void {
    const series = this.#at(name, attributes, unit);
    if (!series?.histogram) return;
    const { bounds: limits, buckets } = series.histogram;
    const found = limits.findIndex((limit) => value <= limit);
    const bucket = found < 0 ? limits.length : found;
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    series.count++;
    series.sum += value;
    series.min = Math.min(series.min, value);
    series.max = Math.max(series.max, value);
  }

  /** Never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#series.size === 0) return;
    const untilMs = Date.now();
    const measured = { sinceMs: this.#sinceMs, untilMs, series: [...this.#series.values()] };
    this.#series = new Map();
    this.#sinceMs = untilMs;
    try {
      await this.#send(measured);
    } catch (error) {
      this.#lose(errorMessage(error));
    }
  }

  #at(name: string, attributes: Attributes, unit: Unit | null): Series | undefined {
    this.#timer ??= setTimeout(() => void this.flush(), everyMs).unref();
    const key = JSON.stringify([name, Object.entries(attributes).sort(([one], [other]) => (one < other ? -1 : 1))]);
    const known = this.#series.get(key);
    if (known) return known;
    if (this.#series.size >= maxSeries) {
      this.#lose(`more than ${maxSeries} series in a minute`);
      return undefined;
    }
    const limits = unit === null ? [] : bounds[unit];
    const series: Series = {
      name,
      attributes,
      histogram: unit === null ? null : { unit, bounds: limits, buckets: Array(limits.length + 1).fill(0) },
      count: 0,
      sum: 0,
      min: Number.POSITIVE_INFINITY,
      max: Number.NEGATIVE_INFINITY,
    };
    this.#series.set(key, series);
    return series;
  }

  #lose(problem: string): void {
    if (!this.#warned) this.#warn(problem);
    this.#warned = true;
  }
}
