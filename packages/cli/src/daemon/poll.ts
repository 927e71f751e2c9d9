/** Time that a daemon has to start or stop. */
const timeoutMs = 20_000;
const intervalMs = 20;

/** Asks again and again until there is an answer, or no time is left. */
export async function poll<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || performance.now() > end) return answer;
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
