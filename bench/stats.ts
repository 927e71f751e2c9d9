/** The middle value; the mean of the two middle ones for an even count. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/**
 * Runs every contestant once a round, so that a busy moment of the machine hits all alike. Each round begins with another
 * one, and garbage is collected before each run: else whoever comes first pays for what the last one left behind.
 */
export async function interleave(
  contestants: Readonly<Record<string, () => Promise<number>>>,
  rounds: number,
): Promise<Record<string, number>> {
  const entries = Object.entries(contestants);
  const samples = new Map<string, number[]>(entries.map(([name]) => [name, []]));
  for (let round = -2; round < rounds; round++) {
    const first = (round + 2) % entries.length;
    for (const [name, run] of [...entries.slice(first), ...entries.slice(0, first)]) {
      collectGarbage();
      const value = await run();
      if (round >= 0) samples.get(name)?.push(value);
    }
  }
  return Object.fromEntries([...samples].map(([name, values]) => [name, median(values)]));
}

/** Bun has no `gc` in the global scope; Node has it with --expose-gc. A benchmark without either is not worth its figures. */
function collectGarbage(): void {
  const { Bun: bun, gc } = globalThis as { Bun?: { gc(force: boolean): void }; gc?: () => void };
  if (bun) bun.gc(true);
  else if (gc) gc();
  else throw new Error("run Node with --expose-gc");
}
