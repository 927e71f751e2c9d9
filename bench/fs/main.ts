/** Files on our app-server and on the real one, in fresh processes. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { AgainstCodex, contestants, prepare } from "../against-codex.ts";
import { report } from "../figures.ts";
import { inRounds } from "../rounds.ts";
import { Subject } from "../server/subject.ts";
import { measure } from "./measure.ts";
import { entries, inFlight, largeMb, small } from "./sizes.ts";

const rounds = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 3);
// In memory, where there is such a folder: else the disk is measured more than the servers.
const root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "quire-bench-"));

const samples = await inRounds(await contestants(), rounds, async (name) => {
  await using codex = await prepare(name);
  await using subject = await Subject.spawn(codex);
  return await measure(subject, root);
});
rmSync(root, { recursive: true });

const codex = new AgainstCodex(samples);
const comparisons = [
  codex.ahead({
    title: `${small} small files written, ${inFlight} in flight`,
    count: small,
    figure: (each) => each.writesMs,
  }),
  codex.ahead({
    title: `${small} small files read, ${inFlight} in flight`,
    count: small,
    figure: (each) => each.readsMs,
  }),
  codex.ahead({
    title: `Metadata of ${small} files, ${inFlight} in flight`,
    count: small,
    figure: (each) => each.metadataMs,
  }),
  codex.ahead({ title: `A folder of ${entries} entries listed`, figure: (each) => each.listMs }),
  codex.ahead({ title: `A folder of ${entries} files copied`, count: entries, figure: (each) => each.copyMs }),
  codex.ahead({ title: `That folder removed`, count: entries, figure: (each) => each.removeMs }),
  codex.ahead({ title: `A file of ${largeMb} MB written`, figure: (each) => each.largeWriteMs }),
  codex.ahead({ title: `A file of ${largeMb} MB read`, figure: (each) => each.largeReadMs }),
  codex.ahead({ title: "The most memory used meanwhile", unit: "MB", figure: (each) => each.peakMb }),
];
report({
  name: "fs",
  about:
    "Reading, writing, listing, copying and removing files on quire app-server and on the real Codex, over stdio, in memory where the system has such a folder. Every sample is a fresh process; what is one call is made five times, and its median counts.",
  comparisons,
});
