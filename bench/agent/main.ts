/**
 * The agent beside the client that it is built on, against the same server, restarted for each evaluation, as
 * agents do; and whether many evaluations leave anything behind. Every run is a process of its own.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { codexVersion } from "@quire/protocol/version";
import { type Comparison, report } from "../figures.ts";
import { Contestants, type Runtime } from "../processes.ts";
import { inRounds, medians } from "../rounds.ts";

const runtimes: readonly Runtime[] = ["bun", "node"];
/** Evaluations of one run, of which the quickest counts. */
const evaluations = 20;
/** Evaluations that must leave nothing behind. */
const endurance = 1000;
/** The agent may take so much longer than the bare client. */
const mostOverhead = 1.3;
/** Tolerance for the heap, whose size after a collection varies by about this much. */
const mostGrowthMb = 2;

interface Endured {
  readonly before: { readonly heapMb: number; readonly handles: number };
  readonly after: { readonly heapMb: number; readonly handles: number };
  readonly wallMs: number;
}

const rounds = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 5);
const root = join(import.meta.dirname, "..", "..");
// The same for all, in the runtime that starts quickest, so that the contestants' own share shows.
const server = [process.execPath, join(import.meta.dirname, "scripted-server.mjs"), codexVersion];

// Contestants on Node load what a user would load: the packages' built files.
const built = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-b", "packages/agent", "packages/testkit"], {
  cwd: root,
  stdio: "inherit",
});
if (built.status !== 0) throw new Error("packages/agent does not build");
using contestants = await Contestants.build([
  import.meta.resolve("./contestants.ts"),
  import.meta.resolve("./endurance.ts"),
]);

const comparisons: Comparison[] = [];
for (const calls of [0, 50]) for (const runtime of runtimes) comparisons.push(await compare(runtime, calls));
for (const runtime of runtimes) comparisons.push(await endure(runtime));

report({
  name: "agent",
  about:
    "CodexAgent.evaluate() beside CodexClient doing the same by hand: start a scripted server, one thread, one turn, end the server. The quickest of many counts.",
  comparisons,
});

/** Evaluations with so many calls of a tool, one after the other. */
async function compare(runtime: Runtime, calls: number): Promise<Comparison> {
  const args = (name: string) => [name, String(evaluations), ...server];
  const samples = await inRounds(["bare", "quire"], rounds, (name) =>
    contestants.run<number>(runtime, "contestants.mjs", args(name), { CALLS: String(calls) }),
  );
  const times = medians(samples, (ms) => ms);
  const { bare = 0, quire = 0 } = times;
  return {
    title: `${runtime}: an evaluation with ${calls === 0 ? "a turn that does nothing" : `${calls} tool calls`}`,
    count: 1,
    times,
    goal: `at most ${mostOverhead} × the bare client (it is ${(quire / bare).toFixed(2)} ×, ${(quire - bare).toFixed(1)} ms more)`,
    met: quire / bare <= mostOverhead,
  };
}

/** Many evaluations leave memory and handles where they were. */
async function endure(runtime: Runtime): Promise<Comparison> {
  const options: Record<string, string> = runtime === "node" ? { NODE_OPTIONS: "--expose-gc" } : {};
  const { before, after, wallMs } = await contestants.run<Endured>(
    runtime,
    "endurance.mjs",
    [String(endurance)],
    options,
  );
  const growth = after.heapMb - before.heapMb;
  const handles = after.handles - before.handles;
  return {
    title: `${runtime}: ${endurance.toLocaleString("en")} evaluations with a tool call, on servers in the same process`,
    count: endurance,
    times: { quire: wallMs },
    goal: `heap and handles stay where they were (${growth.toFixed(1)} MB of ${before.heapMb.toFixed(0)}, ${handles} handles)`,
    met: growth <= mostGrowthMb && handles <= 0,
  };
}
