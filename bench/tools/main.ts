/** Tools of our app-server beside those of the real one: commands and patches, sandboxed and not, in fresh processes. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { realCodex, skipWithoutCodex } from "@quire/testkit";
import { type Comparison, report } from "../figures.ts";
import { inRounds, medians } from "../rounds.ts";
import { Subject } from "../server/subject.ts";
import { measure, policies, type Sample } from "./measure.ts";
import { commands, files } from "./sizes.ts";

const quire = join(import.meta.dirname, "..", "..", "packages", "cli", "bin", "quire");
const rounds = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 3);
const model = Bun.spawn([process.execPath, join(import.meta.dirname, "model-server.ts")], {
  stdout: "pipe",
  stderr: "inherit",
});
const modelUrl = new TextDecoder().decode((await model.stdout.getReader().read()).value).trim();

const skip = await skipWithoutCodex("0.166.0");
if (skip) console.error(`\n*** SKIPPED: Codex 0.166.0: ${skip}\n`);
const names = skip ? ["quire"] : ["quire", "0.166.0"];

const samples = await inRounds(names, rounds, async (name) => {
  await using codex = await realCodex("0.166.0", { model: modelUrl });
  await using subject = await Subject.spawn(name === "quire" ? { ...codex, command: quire } : codex);
  // Not in /tmp, which every policy opens, and which tests leave too full for figures.
  const cwd = mkdtempSync("/var/tmp/quire-bench-");
  try {
    const found: Sample[] = [];
    for (const policy of policies) found.push(await measure(subject, cwd, policy));
    return found;
  } finally {
    rmSync(cwd, { recursive: true });
  }
});
model.kill();

const comparisons = policies.flatMap((policy, at): Comparison[] => [
  ahead(`${commands} commands, each after the other, ${policy}`, commands, (each) => each[at]?.apartMs ?? 0),
  ahead(`${commands} commands of one response, ${policy}`, commands, (each) => each[at]?.togetherMs ?? 0),
  ahead(
    `A patch that adds ${files} files and one that changes them, ${policy}`,
    2 * files,
    (each) => each[at]?.patchMs ?? 0,
  ),
]);
report({
  name: "tools",
  about:
    "Turns that run the command `true` in a login shell, and patches, on quire app-server and on the real Codex, with one model that answers at once. Every sample is a fresh process with a home of its own.",
  comparisons,
});
const met = comparisons.every((each) => each.met);
console.log(met ? "\nAll goals met." : "\nA goal was missed.");
process.exitCode = met ? 0 : 1;

function ahead(title: string, count: number, figure: (samples: readonly Sample[]) => number): Comparison {
  const times = medians(samples, figure);
  const ratio = (times.quire ?? Number.POSITIVE_INFINITY) / (times["0.166.0"] ?? 0);
  return {
    title,
    count,
    times,
    goal: `ahead of Codex 0.166.0; it takes ${ratio.toFixed(3)} × as long`,
    met: ratio < 1,
  };
}
