/** Finding files while one types, on our app-server and on the real one: 100,000 files, fresh processes. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { realCodex, skipWithoutCodex } from "@quire/testkit";
import { type Comparison, report } from "../figures.ts";
import { inRounds, medians } from "../rounds.ts";
import { Subject } from "../server/subject.ts";
import { measure, type Sample } from "./measure.ts";
import { makeTree } from "./tree.ts";

const quire = join(import.meta.dirname, "..", "..", "packages", "cli", "bin", "quire");
const rounds = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 3);
const skip = await skipWithoutCodex("0.166.0");
if (skip) console.error(`\n*** SKIPPED: Codex 0.166.0: ${skip}\n`);
const names = skip ? ["quire"] : ["quire", "0.166.0"];
const root = mkdtempSync("/var/tmp/quire-bench-");
makeTree(root);
const samples = await inRounds(names, rounds, async (name) => {
  // No model is asked.
  await using codex = await realCodex("0.166.0", { model: "http://127.0.0.1:9" });
  await using subject = await Subject.spawn(name === "quire" ? { ...codex, command: quire } : codex);
  return await measure(subject, root);
});
rmSync(root, { recursive: true });

const comparisons: Comparison[] = [
  ahead("From opening a search to its first files", (each) => each.firstMs),
  ahead("From opening a search until all files are matched", (each) => each.completeMs),
  ahead("A keystroke", (each) => each.keystrokeMs),
  ahead("The slowest keystroke", (each) => each.slowestMs),
  ahead("A single search, with nothing prepared", (each) => each.singleMs),
  ahead("Memory with a search open", (each) => each.residentMb, { unit: "MB" }),
];
report({
  name: "search",
  about:
    "A project of 100,000 files, searched as a user would who types, on quire app-server and on the real Codex. Every sample is a fresh process; the files are in the cache of the system.",
  comparisons,
});
const met = comparisons.every((each) => each.met);
console.log(met ? "\nAll goals met." : "\nA goal was missed.");
process.exitCode = met ? 0 : 1;

function ahead(
  title: string,
  figure: (sample: Sample) => number,
  more: Pick<Partial<Comparison>, "count" | "unit"> = {},
): Comparison {
  const times = medians(samples, figure);
  const ratio = (times.quire ?? Number.POSITIVE_INFINITY) / (times["0.166.0"] ?? 0);
  return {
    title,
    count: 1,
    ...more,
    times,
    goal: `ahead of Codex 0.166.0; it is ${ratio.toFixed(3)} ×`,
    met: ratio < 1,
  };
}
