/** Finding files while one types, on our app-server and on the real one: 100,000 files, fresh processes. */
import { mkdtempSync, rmSync } from "node:fs";
import process from "node:process";
import { AgainstCodex, contestants, prepare } from "../against-codex.ts";
import { report } from "../figures.ts";
import { inRounds } from "../rounds.ts";
import { Subject } from "../server/subject.ts";
import { measure } from "./measure.ts";
import { makeTree } from "./tree.ts";

const rounds = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 3);
const root = mkdtempSync("/var/tmp/quire-bench-");
makeTree(root);
const samples = await inRounds(await contestants(), rounds, async (name) => {
  await using codex = await prepare(name);
  await using subject = await Subject.spawn(codex);
  return await measure(subject, root);
});
rmSync(root, { recursive: true });

const codex = new AgainstCodex(samples);
const comparisons = [
  codex.ahead({ title: "From opening a search to its first files", figure: (each) => each.firstMs }),
  codex.ahead({ title: "From opening a search until all files are matched", figure: (each) => each.completeMs }),
  codex.ahead({ title: "A keystroke", figure: (each) => each.keystrokeMs }),
  codex.ahead({ title: "The slowest keystroke", figure: (each) => each.slowestMs }),
  codex.ahead({ title: "A single search, with nothing prepared", figure: (each) => each.singleMs }),
  codex.ahead({ title: "Memory with a search open", unit: "MB", figure: (each) => each.residentMb }),
];
report({
  name: "search",
  about:
    "A project of 100,000 files, searched as a user would who types, on quire app-server and on the real Codex. Every sample is a fresh process; the files are in the cache of the system.",
  comparisons,
});
