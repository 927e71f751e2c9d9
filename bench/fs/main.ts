/** Files on our app-server and on the real one, in fresh processes. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { realCodex, skipWithoutCodex } from "@quire/testkit";
import { type Comparison, report } from "../figures.ts";
import { inRounds, medians } from "../rounds.ts";
import { Subject } from "../server/subject.ts";
import { measure, type Sample } from "./measure.ts";
import { entries, inFlight, largeMb, small } from "./sizes.ts";

const quire = join(import.meta.dirname, "..", "..", "packages", "cli", "bin", "quire");
const rounds = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 3);
const skip = await skipWithoutCodex("0.166.0");
if (skip) console.error(`\n*** SKIPPED: Codex 0.166.0: ${skip}\n`);
const names = skip ? ["quire"] : ["quire", "0.166.0"];
// In memory, where there is such a folder: else the disk is measured more than the servers.
const root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "quire-bench-"));

const samples = await inRounds(names, rounds, async (name) => {
  // No model is asked.
  await using codex = await realCodex("0.166.0", { model: "http://127.0.0.1:9" });
  await using subject = await Subject.spawn(name === "quire" ? { ...codex, command: quire } : codex);
  return await measure(subject, root);
});
rmSync(root, { recursive: true });

const comparisons: Comparison[] = [
  ahead(`${small} small files written, ${inFlight} in flight`, (each) => each.writesMs, { count: small }),
  ahead(`${small} small files read, ${inFlight} in flight`, (each) => each.readsMs, { count: small }),
  ahead(`Metadata of ${small} files, ${inFlight} in flight`, (each) => each.metadataMs, { count: small }),
  ahead(`A folder of ${entries} entries listed`, (each) => each.listMs),
  ahead(`A folder of ${entries} files copied`, (each) => each.copyMs, { count: entries }),
  ahead(`That folder removed`, (each) => each.removeMs, { count: entries }),
  ahead(`A file of ${largeMb} MB written`, (each) => each.largeWriteMs),
  ahead(`A file of ${largeMb} MB read`, (each) => each.largeReadMs),
  ahead("The most memory used meanwhile", (each) => each.peakMb, { unit: "MB" }),
];
report({
  name: "fs",
  about:
    "Reading, writing, listing, copying and removing files on quire app-server and on the real Codex, over stdio, in memory where the system has such a folder. Every sample is a fresh process; what is one call is made five times, and its median counts.",
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
