import type { Contestant } from "./contestants.ts";
import { everywhere } from "./everywhere.ts";
import { type Outcome, runScenario } from "./run-scenario.ts";
import type { DeclaredDifference, Scenario } from "./scenario.ts";

/** Scenarios at a time: each runs two servers, which wait for each other and for the model most of the time. */
const width = 3;

/** Runs scenarios, a few at a time, and gives what will come of each. */
export function runAll(scenarios: readonly Scenario[], challenger?: Contestant): Promise<Outcome>[] {
  const lanes: Promise<unknown>[] = Array.from({ length: width }, () => Promise.resolve());
  return scenarios.map((scenario, index) => {
    const outcome = (lanes[index % width] ?? Promise.resolve()).then(() => runScenario(scenario, challenger));
    lanes[index % width] = outcome.catch(() => undefined);
    return outcome;
  });
}

/** Differences declared for all scenarios of which none shows any more. */
export function vanishedEverywhere(outcomes: readonly Outcome[]): DeclaredDifference[] {
  const seen = new Set(outcomes.flatMap(({ verdict }) => verdict.meant.map(({ declared }) => declared)));
  return everywhere.filter((each) => !seen.has(each));
}
