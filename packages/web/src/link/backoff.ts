/** First and longest pause between tries to reach the gateway again. It is on this machine, so the pauses are short. */
const firstMs = 250;
const longestMs = 8000;

/** How long to wait before a try; half of it is random, so that many tabs do not come back at once. */
export function pauseBefore(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(firstMs * 2 ** attempt, longestMs);
  return full / 2 + (full / 2) * random();
}
