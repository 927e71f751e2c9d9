import process from "node:process";

/** The seed of this run: `QUIRE_SEED`, else a new one. It is printed, so that a failure can be repeated. */
export function chooseSeed(): number {
  const given = process.env.QUIRE_SEED;
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  console.log(`QUIRE_SEED=${seed}`);
  return seed;
}

/** A small deterministic generator (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}

const awkward = [
  "\u2028",
  "\u2029",
  "\u0085",
  "\uFEFF",
  "\uFFFD",
  "\u0000",
  "\n",
  "\r",
  '"',
  "\\",
  "é",
  "€",
  "😀",
  "\uD800",
];

/** Text with everything that has ever broken a parser. */
export function randomText(random: Random): string {
  let text = "";
  const length = random.chance(0.002) ? random.below(20_000) : random.below(8);
  for (let n = 0; n < length; n++) {
    text += random.chance(0.5) ? random.pick(awkward) : String.fromCharCode(32 + random.below(95));
  }
  return text;
}

/** Any JSON value, nested up to `depth`. */
export function randomJson(random: Random, depth: number): unknown {
  switch (random.below(depth > 0 ? 7 : 5)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick([0, -1, 1e21, 0.1, 2 ** 53 - 1, random.below(1000)]);
    case 3:
    case 4:
      return randomText(random);
    case 5:
      return Array.from({ length: random.below(4) }, () => randomJson(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(4) }, (_, n) => [`${n}${randomText(random)}`, randomJson(random, depth - 1)]),
      );
  }
}
