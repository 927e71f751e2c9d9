import { median } from "./stats.ts";

/** Rounds that peers take part in; some need a hundred times as long as we do, and nothing hangs on their last percent. */
const peerRounds = 3;

/** Runs every contestant once a round, each round beginning with another one, and returns each one's samples. */
export async function inRounds<Sample>(
  names: readonly string[],
  rounds: number,
  run: (name: string) => Promise<Sample>,
): Promise<Map<string, Sample[]>> {
  const samples = new Map<string, Sample[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const isPeer = !/^(quire|before|bare)/.test(name);
      if (!isPeer || round < peerRounds) samples.get(name)?.push(await run(name));
    }
  }
  return samples;
}

/** The median of one figure for each contestant. */
export function medians<Sample>(
  samples: ReadonlyMap<string, readonly Sample[]>,
  figure: (sample: Sample) => number,
): Record<string, number> {
  return Object.fromEntries([...samples].map(([name, each]) => [name, median(each.map(figure))]));
}
