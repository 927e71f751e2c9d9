import type { Comparison } from "../figures.ts";

/** Bounds of a part. */
export interface Bounds {
  /** When to stop, in milliseconds since the epoch. */
  readonly until: number;
  /** Of everything random. */
  readonly seed: number;
  /** Rounds at most, if the part counts any. */
  readonly rounds: number | undefined;
}

/** A part of the benchmark. */
export interface Part {
  readonly name: string;
  /** The part's share of the time. */
  readonly share: number;
  run(bounds: Bounds): Promise<Comparison[]>;
}

/** Counts of what must not happen at all. */
export function noneOf(found: Pick<Comparison, "title" | "count" | "times">): Comparison {
  const met = Object.values(found.times).every((count) => count === 0);
  return { ...found, unit: "count", goal: "none of these", met };
}
