import type { Orchestrator } from "@quire/orchestrator";
import { median } from "../stats.ts";
import { manyIssues } from "./many-issues.ts";
import { silent, stage } from "./stage.ts";

/** Time of a poll with so many issues. */
export interface TickFigures {
  readonly count: number;
  readonly ms: number;
  /** Fields of issues that were read. */
  readonly reads: number;
}

const looks = 15;

/** Measures looks at the tracker where all issues are ready and one place is taken, for each number of issues. */
export async function measureTicks(counts: readonly number[]): Promise<TickFigures[]> {
  const found: TickFigures[] = [];
  for (const count of counts) found.push({ count, ms: await timed(count), reads: await counted(count) });
  return found;
}

async function timed(count: number): Promise<number> {
  await using set = await stage({ adapter: manyIssues(count).adapter, command: silent, atOnce: 1, once: false });
  await firstTick(set.orchestrator);
  const times: number[] = [];
  for (let look = 0; look < looks; look++) times.push(await tick(set.orchestrator));
  return median(times);
}

async function counted(count: number): Promise<number> {
  const { adapter, takeReads } = manyIssues(count, true);
  await using set = await stage({ adapter, command: silent, atOnce: 1, once: false });
  await firstTick(set.orchestrator);
  takeReads();
  await tick(set.orchestrator);
  return takeReads();
}

async function firstTick(orchestrator: Orchestrator): Promise<void> {
  const seen = nextTick(orchestrator);
  await orchestrator.start();
  await seen;
}

async function tick(orchestrator: Orchestrator): Promise<number> {
  const seen = nextTick(orchestrator);
  const began = performance.now();
  orchestrator.refresh();
  await seen;
  return performance.now() - began;
}

function nextTick(orchestrator: Orchestrator): Promise<void> {
  return new Promise((resolve) => {
    const stop = orchestrator.subscribe((event) => {
      if (event.type !== "tick") return;
      stop();
      resolve();
    });
  });
}
