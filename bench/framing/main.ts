/** Framing and dispatch: our Connection between a bare loop and the libraries one would take instead. */
import { join } from "node:path";
import process from "node:process";
import { onBothRuntimes } from "../on-both-runtimes.ts";

interface Report {
  readonly receiving: Record<string, number>;
  readonly calling: Record<string, number>;
  readonly messages: number;
  readonly requests: number;
}

const both = await onBothRuntimes<Report>(join(import.meta.dirname, "contestants.ts"), process.argv.slice(2));
let met = true;

for (const [runtime, report] of Object.entries(both)) {
  show(`${runtime}: ${report.messages.toLocaleString("en")} small notifications received`, report.receiving, report.messages, 0.8);
  show(`${runtime}: ${report.requests.toLocaleString("en")} requests, 256 in flight`, report.calling, report.requests, 0.7);
}
console.log(met ? "\nAll goals met." : "\nA goal was missed.");
process.exit(met ? 0 : 1);

function show(title: string, times: Record<string, number>, count: number, goal: number): void {
  const { bare = 0, quire = 0, ...peers } = times;
  console.log(`\n${title}`);
  for (const [name, ms] of Object.entries(times)) {
    const rate = Math.round((count / ms) * 1000).toLocaleString("en");
    console.log(`  ${name.padEnd(16)} ${ms.toFixed(1).padStart(8)} ms  ${rate.padStart(10)}/s  ${(bare / ms).toFixed(2)} × bare`);
  }
  const ok = bare / quire >= goal && Object.values(peers).every((ms) => quire < ms);
  console.log(`  ${ok ? "met" : "MISSED"}: at least ${goal} × bare, and ahead of each peer`);
  met &&= ok;
}
