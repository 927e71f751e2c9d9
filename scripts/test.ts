/** `npm test`: set-up, types, checks, and all tests on Bun and on Node. The last line holds the real counts. */
import { mkdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type Check, checks, runCheck, typesCheck } from "./lib/checks.ts";
import { type Outcome, showOutcome } from "./lib/outcome.ts";
import { pool } from "./lib/pool.ts";
import { endCommandsOnSignal, runCommand } from "./lib/run-command.ts";
import { runSuite, type Suite, suites } from "./lib/suites.ts";
import { testHome } from "./lib/test-home.ts";
import { root } from "./lib/workspace.ts";
import { setUp } from "./setup.ts";

const usage = `Usage: npm test [-- WHAT ...]

Runs everything, or only WHAT:
  jsonrpc            the tests of one package
  jsonrpc/framing    those in files whose path holds "framing"
  root               the tests in test/
  checks             the checks of \`npm run check\`

The older Codex versions that some tests need are kept in .cache (QUIRE_CACHE). With CI=true a skipped test fails.`;

const wanted = process.argv.slice(2);
if (wanted.some((word) => word.startsWith("-"))) {
  console.log(usage);
  process.exit(wanted.includes("--help") ? 0 : 2);
}
endCommandsOnSignal();
const began = performance.now();
const node = await runCommand("node", ["--version"]);
console.log(`Node ${node.output.trim()}, Bun v${Bun.version}, ${availableParallelism()} cores`);
// Downloads go on beside the first checks; tests wait for them.
const settingUp = setUp();

const reports = join(process.env.QUIRE_CACHE ?? root, "reports");
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const show = async (run: Promise<Outcome>): Promise<Outcome> => {
  const outcome = await run;
  showOutcome(outcome);
  return outcome;
};
const check = (each: Check) => () => show(runCheck(each));
const env = testHome();
const suite = (each: Suite) => () => show(runSuite(each, reports, env));

const withChecks = wanted.length === 0 || wanted.includes("checks");
const rest = withChecks ? checks() : [];
const width = Math.max(2, Math.min(4, availableParallelism()));
const early = rest.filter((each) => !each.afterBuild);
const late = rest.filter((each) => each.afterBuild);
// The compiled output is what Node and the packages' checks run on, so it comes first.
const first = await pool([typesCheck, ...early].map(check), width);
await settingUp;
const second = await pool([...suites(wanted).map(suite), ...late.map(check)], width);
finish([...first, ...second]);

function finish(all: readonly Outcome[]): never {
  const skipped = all.flatMap((outcome) => outcome.skipped.map((name) => `  ${outcome.name}: ${name}`));
  const skipsFail = process.env.CI === "true";
  const passed = all.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = all.reduce((sum, outcome) => sum + outcome.failed, 0) + (skipsFail ? skipped.length : 0);
  const bad = all.filter((outcome) => outcome.failed > 0).map((outcome) => outcome.name);
  console.log(`\nTook ${((performance.now() - began) / 1000).toFixed(0)} s.`);
  if (bad.length > 0) console.log(`Failed: ${bad.join(", ")}`);
  if (skipped.length > 0) {
    console.log(`${skipped.length} skipped${skipsFail ? ", which counts as failed with CI=true" : ""}:`);
    console.log(skipped.join("\n"));
  }
  const nothingRan = all.length <= 1 && wanted.length > 0 && !withChecks;
  if (nothingRan) console.log(`Nothing is called ${wanted.join(", ")}: see npm test -- --help`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 || passed === 0 || nothingRan ? 1 : 0);
}
