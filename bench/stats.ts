/** The middle value; the mean of the two middle ones for an even count. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** Runs every contestant once a round, in turn, so that a busy moment of the machine hits all alike. */
export async function interleave(
  contestants: Readonly<Record<string, () => Promise<number>>>,
  rounds: number,
): Promise<Record<string, number>> {
  const samples: Record<string, number[]> = {};
  for (let round = -2; round < rounds; round++) {
    for (const [name, run] of Object.entries(contestants)) {
      (globalThis as { gc?: () => void }).gc?.();
      const value = await run();
      if (round >= 0) (samples[name] ??= []).push(value);
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, median(values)]));
}
