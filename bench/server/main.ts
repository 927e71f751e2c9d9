/** Our app-server beside the real ones: every figure from fresh processes that take turns, with one model for all. */
import { join } from "node:path";
import process from "node:process";
import { realCodex, skipWithoutCodex } from "@quire/testkit";
import { type Comparison, report } from "../figures.ts";
import { inRounds, medians } from "../rounds.ts";
import { measure, type Sample } from "./measure.ts";
import { scale } from "./scale.ts";
import { calls, deltas, inFlight, threadsAtOnce } from "./sizes.ts";
import { Subject } from "./subject.ts";

const quire = join(import.meta.dirname, "..", "..", "packages", "cli", "bin", "quire");
const rounds = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 5);
const model = Bun.spawn([process.execPath, join(import.meta.dirname, "model-server.ts")], {
  stdout: "pipe",
  stderr: "inherit",
});
// Ended with this process, also after a failure; until then it does not keep it alive.
model.unref();
process.once("exit", () => void model.kill());
const modelUrl = new TextDecoder().decode((await model.stdout.getReader().read()).value).trim();

const names = ["quire"];
for (const version of ["0.166.0", "0.118.0"]) {
  const skip = await skipWithoutCodex(version);
  if (skip) console.error(`\n*** SKIPPED: Codex ${version}: ${skip}\n`);
  else names.push(version);
}

/** A server of that name with a home of its own. */
const prepare = async (name: string) => {
  const codex = await realCodex(name === "quire" ? "0.166.0" : name, { model: modelUrl });
  return name === "quire" ? { ...codex, command: quire } : codex;
};

// Where files were deleted a moment ago a disk may take a millisecond to make another: all are kept until the end.
await using homes = new AsyncDisposableStack();
const samples = await inRounds(names, rounds, async (name) => {
  await using subject = await Subject.spawn(homes.use(await prepare(name)));
  // Awaited here: what is measured must not be disposed of before.
  return await measure(subject);
});

const comparisons: Comparison[] = [
  atMost(0.25, { title: "From spawn to the reply of initialize", count: 1, figure: (each) => each.startMs }),
  atMost(0.5, { title: "Resident memory then", count: 1, unit: "MB", figure: (each) => each.startMb }),
  atMost(0.1, { title: "A warm turn", count: 1, figure: (each) => each.warmTurnMs }),
  atMost(0.15, {
    title: `A turn of ${deltas.toLocaleString("en")} deltas, wall`,
    count: deltas,
    figure: (each) => each.deltasMs,
  }),
  atMost(0.15, {
    title: `A turn of ${deltas.toLocaleString("en")} deltas, CPU of the server`,
    count: deltas,
    figure: (each) => each.deltasCpuMs,
  }),
  atMost(0.25, {
    title: `${calls.toLocaleString("en")} small requests, ${inFlight} in flight`,
    count: calls,
    figure: (each) => each.callsMs,
  }),
  atMost(0.03, {
    title: `${threadsAtOnce} threads, one turn each at once`,
    count: threadsAtOnce,
    figure: (each) => each.turnsAtOnceMs,
  }),
  atMost(0.25, { title: "Memory per loaded thread", count: 1, unit: "MB", figure: (each) => each.mbPerThread }),
  ...(await scale(prepare)),
];

report({
  name: "server",
  about:
    "quire app-server beside the real Codex, over stdio, with one model that answers at once. Every sample is a fresh process with a home of its own; goals compare with 0.166.0.",
  comparisons,
});
const met = comparisons.every((each) => each.met);
console.log(met ? "\nAll goals met." : "\nA goal was missed.");
process.exitCode = met ? 0 : 1;

interface Question {
  readonly title: string;
  readonly count: number;
  readonly unit?: "ms" | "MB";
  readonly figure: (sample: Sample) => number;
}

function atMost(factor: number, { figure, ...question }: Question): Comparison {
  const times = medians(samples, figure);
  const ratio = (times.quire ?? Number.POSITIVE_INFINITY) / (times["0.166.0"] ?? 0);
  return {
    ...question,
    times,
    goal: `at most ${factor} × Codex 0.166.0; it is ${ratio.toFixed(3)} ×`,
    met: ratio <= factor,
  };
}
