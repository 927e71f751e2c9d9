import { commonDifferences } from "./common-differences.ts";
import { type Outcome, type Pair, runScenario } from "./run-scenario.ts";
import type { DeclaredDifference, Scenario } from "./scenario.ts";

/** Scenarios at a time: each runs two servers, which wait for each other and for the model most of the time. */
const width = 3;

/** Runs scenarios, a few at a time, and returns what will come of each. */
export function runAll(scenarios: readonly Scenario[], pair?: Pair): Promise<Outcome>[] {
  const lanes: Promise<unknown>[] = Array.from({ length: width }, () => Promise.resolve());
  return scenarios.map((scenario, index) => {
    const outcome = (lanes[index % width] ?? Promise.resolve()).then(() => persistent(scenario, pair));
    lanes[index % width] = outcome.catch(() => undefined);
    return outcome;
  });
}

/** The real server differs from itself at times, as `--self` shows. What is ours shows in every run. */
const attempts = 3;

async function persistent(scenario: Scenario, pair?: Pair): Promise<Outcome> {
  let outcome = await runScenario(scenario, pair);
  for (let attempt = 1; attempt < attempts && outcome.complaints.length > 0; attempt++) {
    outcome = await runScenario(scenario, pair);
  }
  return outcome;
}

/** Differences declared for all scenarios of which none shows any more. */
export function vanishedEverywhere(outcomes: readonly Outcome[]): DeclaredDifference[] {
  const seen = new Set(outcomes.flatMap(({ verdict }) => verdict.expected.map(({ declared }) => declared)));
  return commonDifferences.filter((each) => !seen.has(each));
}
