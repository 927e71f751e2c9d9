import { serveStatus } from "@quire/orchestrator";
import { eventually } from "@quire/testkit";
import { manyIssues } from "./many-issues.ts";
import { silent, stage } from "./stage.ts";

/** Time of the API's answers, of which 99 of 100 are faster. */
interface StateFigures {
  /** Answers of each kind. */
  readonly count: number;
  /** Runs that were under way. */
  readonly running: number;
  readonly stateMs: number;
  readonly boardMs: number;
}

const count = 300;

/** Measures the API's answers with so many issues, of which so many have an agent that never answers. */
export async function measureState(issues: number, running: number): Promise<StateFigures> {
  await using set = await stage({ adapter: manyIssues(issues).adapter, command: silent, atOnce: running, once: false });
  await using server = serveStatus(set.orchestrator, { port: 0 });
  await set.orchestrator.start();
  const started = () => set.orchestrator.snapshot().running.filter(({ pid }) => pid !== null).length;
  await eventually(() => started() === running, {
    timeoutMs: 120_000,
    intervalMs: 200,
  });
  const timed = (path: string) => slowest(`${server.url}api/v1/${path}`, server.token);
  return { count, running, stateMs: await timed("state"), boardMs: await timed("board") };
}

async function slowest(url: string, token: string): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const began = performance.now();
    await (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).text();
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b)[Math.ceil(count * 0.99) - 1] ?? 0;
}
