/**
 * Framing and dispatch: our Connection between a bare loop and the libraries one would take instead. Every run is a process
 * of its own, so that none runs on what another left behind in the compiler or the heap.
 */
import process from "node:process";
import { type Comparison, report } from "../figures.ts";
import { Contestants, type Runtime } from "../processes.ts";
import { inRounds, medians } from "../rounds.ts";
import { messages, requests } from "./sizes.ts";

const rounds = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 5);

using contestants = await Contestants.build([import.meta.resolve("./contestants.ts")]);

const comparisons: Comparison[] = [];
for (const runtime of ["bun", "node"] as const) {
  const receiving = ["bare", "quire", "vscode-jsonrpc", "json-rpc-2.0"];
  const calling = ["bare", "bare, batched", "quire", "json-rpc-2.0"];
  comparisons.push(
    compare(`${runtime}: small notifications received`, await measure(runtime, "receiving", receiving), messages, 0.8),
    compare(`${runtime}: requests, 256 in flight`, await measure(runtime, "calling", calling), requests, 0.7),
  );
}

report({
  name: "framing",
  about:
    "NDJSON framing and dispatch over streams in one process, against a bare loop that only splits and parses. Of up to 16 runs in a process the best counts.",
  comparisons,
});
process.exit();

async function measure(runtime: Runtime, kind: string, names: readonly string[]): Promise<Record<string, number>> {
  const samples = await inRounds(names, rounds, (name) =>
    contestants.run<number>(runtime, "contestants.mjs", [kind, name], {}),
  );
  return medians(samples, (ms) => ms);
}

function compare(title: string, times: Record<string, number>, count: number, goal: number): Comparison {
  const { bare = 0, quire = 0, "bare, batched": batched, ...peers } = times;
  const share = bare / quire;
  const addition = batched === undefined ? "" : `, ${(batched / quire).toFixed(2)} × the batched one`;
  const met = share >= goal && Object.values(peers).every((ms) => quire < ms);
  return {
    title: `${title}: ${count.toLocaleString("en")}`,
    count,
    times,
    goal: `at least ${goal} × the bare loop (it is ${share.toFixed(2)} ×${addition}), and ahead of each library`,
    met,
  };
}
