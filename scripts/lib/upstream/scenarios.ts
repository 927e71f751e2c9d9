import { ours, realCodexOf } from "../../../conformance/lib/contestants.ts";
import { runAll } from "../../../conformance/lib/run-all.ts";
import type { Outcome } from "../../../conformance/lib/run-scenario.ts";
import type { Scenario } from "../../../conformance/lib/scenario.ts";

/** A difference in behaviour between two servers, and its place. */
export interface Behaviour {
  readonly where: string;
  readonly before: string;
  readonly after: string;
  readonly scenarios: readonly string[];
}

/** Results of the scenarios on two versions of Codex and on ours. */
export interface Behaviours {
  /** Differences of the new Codex from the old one. */
  readonly upstream: readonly Behaviour[];
  /** Differences of ours from the new one that no scenario declares. */
  readonly ours: readonly Behaviour[];
  readonly scenarios: number;
  /** Scenarios that ours fails on the new version. */
  readonly failing: readonly string[];
}

/** Versions to compare, and what to tell while it takes its time. */
export interface BehaviourOptions {
  readonly before: string;
  readonly after: string;
  readonly progress: (line: string) => void;
}

/** Takes the old and the new real Codex, and ours, through the same scenarios. */
export async function compareBehaviour(scenarios: readonly Scenario[], options: BehaviourOptions): Promise<Behaviours> {
  const [before, after] = [realCodexOf(options.before), realCodexOf(options.after)];
  const gather = async (challenger: typeof before): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    for (const running of runAll(scenarios, { reference: after, challenger })) {
      const outcome = await running;
      outcomes.push(outcome);
      const verdict = outcome.complaints.length === 0 ? "same" : `${outcome.complaints.length} differences`;
      options.progress(`${challenger.name} beside ${after.name}: ${outcome.scenario.name}: ${verdict}`);
    }
    return outcomes;
  };
  const upstream = await gather(before);
  const own = await gather(ours);
  return {
    upstream: behavioursIn(upstream),
    ours: behavioursIn(own),
    scenarios: scenarios.length,
    failing: own.filter(({ complaints }) => complaints.length > 0).map(({ scenario }) => scenario.name),
  };
}

/** The same difference in many scenarios is one to read. */
function behavioursIn(outcomes: readonly Outcome[]): Behaviour[] {
  const found = new Map<string, { behaviour: Omit<Behaviour, "scenarios">; scenarios: string[] }>();
  for (const { scenario, verdict, real, ours: other } of outcomes) {
    const failures = [real.failure, other.failure].flatMap((failure) => failure ?? []);
    const all = [
      ...verdict.undeclared.map(({ where, real: after, ours: before }) => ({ where, before, after })),
      ...verdict.vanished.map(({ reason }) => ({ where: `declared, but gone: ${reason}`, before: "", after: "" })),
      ...failures.map((failure) => ({ where: `could not be driven: ${failure}`, before: "", after: "" })),
    ];
    for (const behaviour of all) {
      const key = `${anonymous(behaviour.where)}\t${anonymous(behaviour.before)}\t${anonymous(behaviour.after)}`;
      const known = found.get(key) ?? { behaviour, scenarios: [] };
      found.set(key, known);
      if (!known.scenarios.includes(scenario.name)) known.scenarios.push(scenario.name);
    }
  }
  return [...found.values()]
    .map(({ behaviour, scenarios }) => ({ ...behaviour, scenarios }))
    .sort((one, other) => other.scenarios.length - one.scenarios.length);
}

/** Without the numbers that tell one thread, turn or item from another. */
const anonymous = (text: string): string => text.replace(/\b(thread|turn|call|id|msg|item|process)[-_]?\d+\b/g, "$1");
