/** Covers another Codex version each day besides the usual ones, so that two weeks see all of them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { codexVersion } from "@quire/protocol/version";
import { runCommand } from "../scripts/lib/run-command.ts";
import { boundaryVersions, versionOfDay } from "../scripts/lib/versions/matrix.ts";
import { readRecord } from "../scripts/lib/versions/record.ts";
import { root } from "../scripts/lib/workspace.ts";

const script = join(root, "scripts", "versions.ts");

test("every boundary version has its day, and those that every run covers have none", () => {
  const days = Array.from({ length: boundaryVersions.length }, (_, index) => new Date(index * 86_400_000));
  const seen = new Set(days.map((day) => versionOfDay(day.toISOString().slice(0, 10))));
  const usual = ["0.98.0", "0.118.0", codexVersion];
  assert.deepEqual([...seen].sort(), boundaryVersions.filter((version) => !usual.includes(version)).sort());
});

test("the record holds every boundary version, with nothing failing", () => {
  const record = readRecord();
  for (const version of boundaryVersions) {
    const counts = Object.values(record[version] ?? {});
    assert.ok(counts.length > 0 && counts.every((count) => count > 0), `run: npm run versions -- ${version} --record`);
  }
});

test("a word that is no version is refused, with the usage", async () => {
  const { code, output } = await runCommand(process.execPath, [script, "latest"]);
  assert.equal(code, 2);
  assert.match(output, /latest: not a version such as 0\.125\.0\n\nUsage:/);
});

// A download of its own: on a developer's machine, `npm run versions` does this when asked.
describe("today's version", { skip: !process.env.CI && "only on CI" }, () => {
  test("the live tests pass on it", { timeout: 600_000 }, async () => {
    const { code, output } = await runCommand(process.execPath, [script, "--today"]);
    console.log(output);
    assert.equal(code, 0, output);
  });
});
