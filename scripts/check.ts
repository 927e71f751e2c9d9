/** `npm run check`: all that can be said about the code without running its tests. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type Check, checks, runCheck, typesCheck } from "./lib/checks.ts";
import { embedExamples } from "./lib/embed.ts";
import { type Outcome, showOutcome } from "./lib/outcome.ts";
import { pool } from "./lib/pool.ts";
import { endCommandsOnSignal, runCommand } from "./lib/run-command.ts";
import { bin, root } from "./lib/workspace.ts";

const usage = `Usage: npm run check [-- --fix [PATH ...]]

Checks types, lint, format, floating promises, unused code, layering, the generated protocol and the packages.
  --fix   first lets Biome repair what it can, in the whole tree or below the paths given, and copies the examples
          into the documents`;

const [flag, ...paths] = process.argv.slice(2);
if (flag !== undefined && flag !== "--fix") {
  console.log(usage);
  process.exit(flag === "--help" ? 0 : 2);
}
endCommandsOnSignal();

if (flag === "--fix") {
  const { output } = await runCommand(bin("biome"), ["check", "--write", "--colors=off", ...paths]);
  console.log(output.trim());
  for (const file of embedExamples()) console.log(`Brought up to date: ${file}`);
}

const layering: Check = {
  name: "layering",
  afterBuild: false,
  run: () => runCommand(process.execPath, ["test", "--timeout=60000", join(root, "test", "layering.test.ts")]),
};
const all = [typesCheck, layering, ...checks()];
const show = async (check: Check): Promise<Outcome> => {
  const outcome = await runCheck(check);
  showOutcome(outcome);
  return outcome;
};

const width = availableParallelism();
const outcomes: Outcome[] = [];
for (const afterBuild of [false, true]) {
  const stage = all.filter((check) => check.afterBuild === afterBuild);
  outcomes.push(
    ...(await pool(
      stage.map((check) => () => show(check)),
      width,
    )),
  );
}
const failed = outcomes.filter((outcome) => outcome.failed > 0);
console.log(failed.length === 0 ? "All checks passed." : `Failed: ${failed.map((each) => each.name).join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);
