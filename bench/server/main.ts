/** Our app-server beside the real ones: every figure from fresh processes that take turns, with one model for all. */
import { join } from "node:path";
import process from "node:process";
import { codexVersion } from "@quire/protocol/version";
import { AgainstCodex, contestants, prepare, startModel } from "../against-codex.ts";
import { type Comparison, report } from "../figures.ts";
import { inRounds } from "../rounds.ts";
import { firstTurn } from "./first-turn.ts";
import { mbPerThread, measure } from "./measure.ts";
import { scale } from "./scale.ts";
import { calls, deltas, inFlight, threadsAtOnce } from "./sizes.ts";
import { Subject } from "./subject.ts";

const rounds = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 5);
/** A round takes a fraction of a second. */
const firstRounds = 3 * rounds;
const model = await startModel(join(import.meta.dirname, "model-server.ts"));
const names = await contestants([codexVersion, "0.118.0"]);

// Where files were deleted a moment ago a disk may take a millisecond to make another: all are kept until the end.
await using homes = new AsyncDisposableStack();
const fresh = async <T>(name: string, work: (subject: Subject) => Promise<T>): Promise<T> => {
  await using subject = await Subject.spawn(homes.use(await prepare(name, model)));
  // Awaited here: what is measured must not be disposed of before.
  return await work(subject);
};
const samples = await inRounds(names, rounds, async (name) => ({
  ...(await fresh(name, measure)),
  mbPerThread: await fresh(name, mbPerThread),
}));

const codex = new AgainstCodex(samples);
const comparisons: Comparison[] = [
  codex.atMost(0.25, { title: "From spawn to the reply of initialize", figure: (each) => each.startMs }),
  ...(names.includes(codexVersion) ? await firstTurn(model, firstRounds) : []),
  codex.atMost(0.5, { title: "Resident memory then", unit: "MB", figure: (each) => each.startMb }),
  codex.atMost(0.1, { title: "A warm turn", figure: (each) => each.warmTurnMs }),
  codex.atMost(0.15, {
    title: `A turn of ${deltas.toLocaleString("en")} deltas, wall`,
    count: deltas,
    figure: (each) => each.deltasMs,
  }),
  codex.atMost(0.15, {
    title: `A turn of ${deltas.toLocaleString("en")} deltas, CPU of the server`,
    count: deltas,
    figure: (each) => each.deltasCpuMs,
  }),
  codex.atMost(0.25, {
    title: `${calls.toLocaleString("en")} small requests, ${inFlight} in flight`,
    count: calls,
    figure: (each) => each.callsMs,
  }),
  codex.atMost(0.03, {
    title: `${threadsAtOnce} threads, one turn each at once`,
    count: threadsAtOnce,
    figure: (each) => each.turnsAtOnceMs,
  }),
  codex.atMost(0.25, { title: "Memory per loaded thread", unit: "MB", figure: (each) => each.mbPerThread }),
  ...(await scale((name) => prepare(name, model))),
];

report({
  name: "server",
  about: `quire app-server beside the real Codex, over stdio, with one model that answers at once. Every sample is a fresh process with a home of its own; goals compare with ${codexVersion}.`,
  comparisons,
});
