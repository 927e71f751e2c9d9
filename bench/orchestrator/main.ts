/**
 * Measures the cost of the orchestrator itself: ten thousand issues whose turns do nothing, compared with the same
 * processes started without it; its requests to the tracker; how fast its API answers while a thousand runs are under way;
 * and the time of a poll as the number of issues grows.
 */
import { join } from "node:path";
import process from "node:process";
import { codexVersion } from "@quire/protocol/version";
import { report } from "../figures.ts";
import { median } from "../stats.ts";
import { runBare } from "./bare.ts";
import { manyIssues } from "./many-issues.ts";
import { stage } from "./stage.ts";
import { measureState } from "./state.ts";
import { measureTicks } from "./ticks.ts";

const issues = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 10_000);
const atOnce = 10;
const agent = `sh '${join(import.meta.dirname, "no-op-agent.sh")}' ${codexVersion}`;

interface Sample {
  readonly wallMs: number;
  /** Of this process alone, not of the agents. */
  readonly cpuMs: number;
  readonly peakMb: number;
}

async function measured(work: () => Promise<void>): Promise<Sample> {
  Bun.gc(true);
  const before = process.cpuUsage();
  const began = performance.now();
  let peak = process.memoryUsage.rss();
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  await work();
  clearInterval(sampler);
  const { user, system } = process.cpuUsage(before);
  return { wallMs: performance.now() - began, cpuMs: (user + system) / 1000, peakMb: peak / 2 ** 20 };
}

/** Works through so many issues; gives the requests to the tracker. */
async function orchestrated(count: number): Promise<number> {
  const { adapter, requests } = manyIssues(count);
  await using set = await stage({ adapter, command: agent, atOnce, once: true });
  let ended = 0;
  set.orchestrator.subscribe((event) => {
    if (event.type === "run.ended" && event.outcome === "Succeeded") ended++;
  });
  await set.orchestrator.start();
  await set.orchestrator.done;
  if (ended !== count) throw new Error(`${ended} of ${count} runs succeeded`);
  return requests();
}

// Code and caches that are made once are not what an issue costs.
await orchestrated(20);
await runBare({ command: agent, count: 20, atOnce });

// Ten thousand take minutes, and are a mean by themselves.
const rounds = issues < 5000 ? 3 : 1;
let requests = 0;
// What is kept does not grow with the runs; what waits to be collected grows with the issues that are looked at.
const memoryGoal = issues <= 1000 ? 100 : 200;
const ours: Sample[] = [];
const bare: Sample[] = [];
for (let round = 0; round < rounds; round++) {
  bare.push(await measured(() => runBare({ command: agent, count: issues, atOnce })));
  ours.push(
    await measured(async () => {
      requests = await orchestrated(issues);
    }),
  );
}
const of = (samples: readonly Sample[], figure: (sample: Sample) => number) => median(samples.map(figure));
const wall = { quire: of(ours, ({ wallMs }) => wallMs), "bare processes": of(bare, ({ wallMs }) => wallMs) };
const cpu = { quire: of(ours, ({ cpuMs }) => cpuMs), "bare processes": of(bare, ({ cpuMs }) => cpuMs) };
const peak = { quire: of(ours, ({ peakMb }) => peakMb), "bare processes": of(bare, ({ peakMb }) => peakMb) };
const overhead = (wall.quire - wall["bare processes"]) / issues;
const cpuOverhead = (cpu.quire - cpu["bare processes"]) / issues;

const sizes = [issues / 4, issues / 2, issues];
const ticks = await measureTicks(sizes);
const [smallest, , largest] = ticks;
const state = await measureState(issues, Math.min(1000, issues / 2));
const growth = (largest?.reads ?? 0) / (smallest?.reads ?? 1);
const name = issues.toLocaleString("en");

report({
  name: "orchestrator",
  about: `${name} issues whose turns do nothing, ${atOnce} at once; "bare processes" are the same agents, started and asked by a plain loop.`,
  comparisons: [
    {
      title: `${name} issues, wall: ${overhead.toFixed(1)} ms more for an issue`,
      count: issues,
      times: wall,
      goal: "the orchestrator adds at most 20 ms to an issue",
      met: overhead <= 20,
    },
    {
      title: `${name} issues, CPU of the orchestrator: ${cpuOverhead.toFixed(1)} ms more for an issue`,
      count: issues,
      times: cpu,
      goal: "at most 8 ms of CPU for an issue",
      met: cpuOverhead <= 8,
    },
    {
      title: `Requests to the tracker, as GitHub counts them: ${(requests / issues).toFixed(2)} for an issue`,
      count: issues,
      unit: "count",
      times: { all: requests },
      goal: "at most 3 for an issue: before its run, after it, and before it is let go",
      met: requests <= 3 * issues,
    },
    {
      title: `Answers of the API, 99 of 100 within: ${name} issues, ${state.running} running`,
      count: state.count,
      times: { "GET /api/v1/state": state.stateMs, "GET /api/v1/board": state.boardMs },
      goal: "at most 50 ms",
      met: Math.max(state.stateMs, state.boardMs) <= 50,
    },
    {
      title: "Largest resident memory meanwhile",
      count: 1,
      unit: "MB",
      times: peak,
      goal: `at most ${memoryGoal} MB more than without it`,
      met: peak.quire - peak["bare processes"] <= memoryGoal,
    },
    {
      title: `One look at the tracker: fields read grow ${growth.toFixed(2)} times from ${sizes[0]} to ${sizes[2]} issues`,
      count: issues,
      times: Object.fromEntries(ticks.map(({ count, ms, reads }) => [`${count} (${reads})`, ms])),
      goal: "linear: at most 4.2 times the reads for 4 times the issues",
      met: growth <= 4.2,
    },
  ],
});
