/** The first limit, in milliseconds, and by how much the next one is longer. */
const firstMs = 300;
const factor = 4;
/** The longest: what is not there by then never comes. */
const lastMs = 20_000;

/**
 * Tries something under a time limit that has to run out, but only after something else has happened. The limit grows
 * until it was long enough for that, so a quick machine is not kept waiting and a busy one has time.
 *
 * @param attempt Gives `undefined` where the limit was too short.
 */
export async function longEnough<T>(attempt: (limitMs: number) => Promise<T | undefined>): Promise<T> {
  for (let limitMs = firstMs; limitMs < lastMs; limitMs *= factor) {
    const result = await attempt(limitMs);
    if (result !== undefined) return result;
  }
  throw new Error("No limit was long enough: what has to happen before it runs out does not");
}
