import process from "node:process";

/** A source of numbers between 0 and 1 that can be repeated: set `SEED` to what a failed test printed. */
export function randomFrom(): { readonly random: () => number; readonly seed: number } {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return { random, seed };
}
