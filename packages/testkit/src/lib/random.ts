/** Pseudo-random values that are the same for the same seed, on every machine. */
export interface Random {
  /** Pass it again to get the same values. */
  readonly seed: number;
  /** A number from 0 (included) to 1 (excluded). */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  /** True with the given probability, default 0.5. */
  chance(probability?: number): boolean;
  /** Picks an element. */
  pick<T>(from: readonly T[]): T;
  /** So many bytes. */
  bytes(length: number): Uint8Array;
  /** The elements in another order; the array itself stays as it is. */
  shuffle<T>(items: readonly T[]): T[];
}

/**
 * Makes a {@link Random}. The environment variable `QUIRE_SEED` wins over the argument, so that a failed run can be
 * repeated without editing the test; without either, a fresh seed is drawn and printed to stderr.
 */
export function random(seed?: number): Random {
  const used = seedFromEnvironment() ?? seed ?? freshSeed();
  const next = generator(used);
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    seed: used,
    next,
    int,
    chance: (probability = 0.5) => next() < probability,
    pick<T>(from: readonly T[]): T {
      if (from.length === 0) throw new RangeError("Nothing to pick from: the array is empty");
      return from[int(0, from.length - 1)] as T;
    },
    bytes: (length) => Uint8Array.from({ length }, () => int(0, 255)),
    shuffle<T>(items: readonly T[]): T[] {
      const result = [...items];
      for (let last = result.length - 1; last > 0; last--) {
        const other = int(0, last);
        [result[last], result[other]] = [result[other] as T, result[last] as T];
      }
      return result;
    },
  };
}

function seedFromEnvironment(): number | undefined {
  const text = process.env.QUIRE_SEED;
  if (text === undefined || text === "") return undefined;
  const seed = Number(text);
  if (!Number.isSafeInteger(seed))
    throw new TypeError(`QUIRE_SEED must be a whole number, not ${JSON.stringify(text)}`);
  return seed;
}

function freshSeed(): number {
  const seed = Math.floor(Math.random() * 2 ** 32);
  process.stderr.write(`random seed: repeat with QUIRE_SEED=${seed}\n`);
  return seed;
}

/** A Weyl sequence through a 32-bit mixer: not for secrets, but even, and quick enough to fill megabytes. */
function generator(seed: number): () => number {
  let state = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}
