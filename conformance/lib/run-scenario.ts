import { commonDifferences } from "./common-differences.ts";
import { compare } from "./compare.ts";
import { type Contestant, ours, real } from "./contestants.ts";
import { judge, type Verdict } from "./judge.ts";
import type { Scenario } from "./scenario.ts";
import { Stage } from "./stage.ts";
import { trace } from "./trace.ts";
import { type Transcript, transcript } from "./transcript.ts";

/** A server's run of a scenario. */
interface Run {
  readonly transcript: Transcript;
  /** All that was said and asked, as text. */
  readonly trace: string;
  /** Why the scenario could not be driven to its end. */
  readonly failure?: string;
  readonly ms: number;
}

/** Result of a scenario. */
export interface Outcome {
  readonly scenario: Scenario;
  readonly real: Run;
  readonly ours: Run;
  readonly verdict: Verdict;
  /** Changes needed for it to pass, one a line. Empty: it passes. */
  readonly complaints: readonly string[];
}

/** The two servers that are compared. */
export interface Pair {
  /** The one that is right: the real Codex that is pinned unless given. */
  readonly reference?: Contestant;
  /** Ours unless given. */
  readonly challenger?: Contestant;
}

/** Takes both servers through a scenario at the same time and compares what came of it. */
export async function runScenario(scenario: Scenario, pair: Pair = {}): Promise<Outcome> {
  const { reference = real, challenger = ours } = pair;
  const [one, other] = await Promise.all([perform(reference, scenario), perform(challenger, scenario)]);
  const found = compare(one.transcript, other.transcript, scenario);
  // Differences are declared for ours alone.
  const isOurs = challenger === ours;
  const verdict = judge(found, isOurs ? (scenario.differences ?? []) : [], isOurs ? commonDifferences : []);
  const complaints = [
    ...(one.failure ? [`${reference.name} could not be driven through it: ${one.failure}`] : []),
    ...(other.failure ? [`${challenger.name} could not be driven through it: ${other.failure}`] : []),
    ...verdict.undeclared.map(
      ({ where, real, ours }) => `${cut(where)}\n    real: ${cut(real)}\n    ours: ${cut(ours)}`,
    ),
    ...verdict.vanished.map(({ at, reason }) => `declared, but no longer there: ${at} (${reason})`),
  ];
  return { scenario, real: one, ours: other, verdict, complaints };
}

/** Takes one server through a scenario. A scenario that fails midway still gives what it saw. */
async function perform(contestant: Contestant, scenario: Scenario): Promise<Run> {
  const began = performance.now();
  await using stage = await Stage.open(contestant, scenario);
  let failure: string | undefined;
  try {
    await scenario.run(stage);
    await stage.silence();
  } catch (error) {
    failure = (error as Error).message;
  }
  const ms = performance.now() - began;
  return {
    transcript: transcript(stage, scenario),
    trace: trace(stage),
    ms,
    ...(failure !== undefined && { failure }),
  };
}

/** For the terminal: what is longer is to be found in the traces. */
function cut(text: string): string {
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text;
}
