/** Tools of our app-server beside those of the real one: commands and patches, sandboxed and not, in fresh processes. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { AgainstCodex, contestants, prepare, startModel } from "../against-codex.ts";
import { type Comparison, report } from "../figures.ts";
import { inRounds } from "../rounds.ts";
import { Subject } from "../server/subject.ts";
import { measure, policies, type Sample } from "./measure.ts";
import { commands, files, together } from "./sizes.ts";

const rounds = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 3);
const model = await startModel(join(import.meta.dirname, "model-server.ts"));

// Not in /tmp, which every policy opens, and which tests leave too full for figures. Where files were deleted a moment ago
// a disk may take a millisecond to make another: all are kept until the end.
const folder = mkdtempSync("/var/tmp/quire-bench-");
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
// The homes too: around one that commands could write, every start-up file of the user's is protected on its own.
process.env.TMPDIR = folder;
await using homes = new AsyncDisposableStack();
const samples = await inRounds(await contestants(), rounds, async (name) => {
  await using subject = await Subject.spawn(homes.use(await prepare(name, model)));
  const found: Sample[] = [];
  for (const policy of policies) found.push(await measure(subject, mkdtempSync(join(folder, "work-")), policy));
  return found;
});

const codex = new AgainstCodex(samples);
const comparisons = policies.flatMap((policy, at): Comparison[] => [
  codex.ahead({
    title: `${commands} commands, each after the other, ${policy}`,
    count: commands,
    figure: (each) => each[at]?.apartMs ?? 0,
  }),
  codex.ahead({
    title: `${together} commands of one response, ${policy}`,
    count: together,
    figure: (each) => each[at]?.togetherMs ?? 0,
  }),
  codex.ahead({
    title: `A patch that adds ${files} files and one that changes them, ${policy}`,
    count: 2 * files,
    figure: (each) => each[at]?.patchMs ?? 0,
  }),
]);
report({
  name: "tools",
  about:
    "Turns that run the command `true` in a login shell, and patches, on quire app-server and on the real Codex, with one model that answers at once. Every sample is a fresh process with a home of its own.",
  comparisons,
});
