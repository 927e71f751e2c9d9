/** Bounds of a part. */
export interface Bounds {
  /** When to stop, in milliseconds since the epoch. */
  readonly until: number;
  /** Of everything random. */
  readonly seed: number;
  /** Rounds at most, if the part counts any. */
  readonly rounds: number | undefined;
}

/** The outcome of a part. */
export interface Verdict {
  readonly good: boolean;
  /** Counts, in one line. */
  readonly text: string;
}

/** A part of the benchmark. */
export interface Part {
  readonly name: string;
  run(bounds: Bounds): Promise<Verdict>;
}
