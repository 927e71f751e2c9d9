/** Framing and dispatch: our Connection between a bare loop and the libraries one would take instead. */
import { join } from "node:path";
import process from "node:process";
import { type Comparison, report } from "../figures.ts";
import { onBothRuntimes } from "../on-both-runtimes.ts";

interface Report {
  readonly receiving: Record<string, number>;
  readonly calling: Record<string, number>;
  readonly messages: number;
  readonly requests: number;
}

const rounds = process.argv.slice(2).filter((word) => /^\d+$/.test(word));
const both = await onBothRuntimes<Report>(join(import.meta.dirname, "contestants.ts"), rounds);
const comparisons = Object.entries(both).flatMap(([runtime, found]) => [
  compare(`${runtime}: small notifications received`, found.receiving, found.messages, 0.8),
  compare(`${runtime}: requests, 256 in flight`, found.calling, found.requests, 0.7),
]);

report({
  name: "framing",
  about: "NDJSON framing and dispatch over streams in one process, against a bare loop that only splits and parses.",
  comparisons,
});
const met = comparisons.every((each) => each.met);
console.log(met ? "\nAll goals met." : "\nA goal was missed.");
process.exit(met ? 0 : 1);

function compare(title: string, times: Record<string, number>, count: number, goal: number): Comparison {
  const { bare = 0, quire = 0, "bare, batched": batched, ...peers } = times;
  const share = bare / quire;
  const beside = batched === undefined ? "" : `, ${(batched / quire).toFixed(2)} × the batched one`;
  const met = share >= goal && Object.values(peers).every((ms) => quire < ms);
  return {
    title: `${title}: ${count.toLocaleString("en")}`,
    count,
    times,
    goal: `at least ${goal} × the bare loop (it is ${share.toFixed(2)} ×${beside}), and ahead of each library`,
    met,
  };
}
