/** `npm run versions`: the client's live tests on the Codex versions where something changed. */
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { endCommandsOnSignal } from "./lib/run-command.ts";
import { boundaryVersions, runVersion, type VersionResult, versionOfDay } from "./lib/versions/matrix.ts";
import { writeRecord } from "./lib/versions/record.ts";
import { root } from "./lib/workspace.ts";

const usage = `Usage: npm run versions -- [VERSION...] [--today] [--record] [--json]

Runs the client's live tests, and on five versions those of the gateway and the page, against real Codex versions with a
scripted model. A version that is not in the cache is downloaded (50 to 170 MB) and removed afterwards. Each takes a
minute or two.
Without VERSION: ${boundaryVersions.join(", ")}.

  --today   one version, chosen by the date: CI runs it
  --record  write the results to docs/versions.json, the source of the table in docs/coverage.md
  --json    print the results as JSON
  --help    print this`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    today: { type: "boolean" },
    record: { type: "boolean" },
    json: { type: "boolean" },
    help: { type: "boolean" },
  },
});
const strange = positionals.filter((version) => !/^\d+\.\d+\.\d+$/.test(version));
if (values.help || strange.length > 0) {
  console.log(values.help ? usage : `${strange.join(", ")}: not a version such as 0.125.0\n\n${usage}`);
  process.exit(values.help ? 0 : 2);
}
process.env.QUIRE_CACHE ??= join(root, ".cache");
endCommandsOnSignal();

const today = values.today ? [versionOfDay(new Date().toISOString().slice(0, 10))] : [];
const asked = [...positionals, ...today];
const results = new Map<string, VersionResult>();
for (const version of asked.length > 0 ? asked : boundaryVersions) {
  process.stderr.write(`Codex ${version}: `);
  const began = performance.now();
  try {
    const result = await runVersion(version);
    results.set(version, result);
    if (values.record) writeRecord(version, result);
    const failed = Object.entries(result).flatMap(([feature, tests]) =>
      tests.failed.map((test) => `${feature}: ${test}`),
    );
    const passed = Object.values(result).reduce((sum, tests) => sum + tests.passed, 0);
    const seconds = Math.round((performance.now() - began) / 1000);
    process.stderr.write(`${passed} passed, ${failed.length} failed, ${seconds} s\n`);
    for (const test of failed) process.stderr.write(`  ${test}\n`);
    if (failed.length > 0) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
if (values.json) console.log(JSON.stringify(Object.fromEntries(results), null, 2));
