import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { quireVersion } from "@quire/protocol";
import { currentVersion, publishOrder, releaseFiles } from "../scripts/lib/release.ts";
import { runCommand } from "../scripts/lib/run-command.ts";
import { filesBelow, packages, root } from "../scripts/lib/workspace.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");

test("every package has the root's version, and needs the others in it", () => {
  const version = currentVersion();
  assert.equal(quireVersion, version);
  for (const { short } of packages()) {
    const { version: own, dependencies = {} } = JSON.parse(read(`packages/${short}/package.json`));
    const needed = Object.entries(dependencies).filter(([name]) => name.startsWith("@quire/"));
    assert.deepEqual([own, ...needed.map(([, range]) => range)], [version, ...needed.map(() => version)], short);
  }
});

test("no other source file has the version typed in", () => {
  const typed = packages()
    .flatMap(({ dir }) => filesBelow(join(dir, "src"), ".ts"))
    .filter((file) => readFileSync(file, "utf8").includes(`"${currentVersion()}"`));
  assert.deepEqual(typed, [join(root, "packages/protocol/src/lib/quire-version.ts")]);
});

test("a release writes the version wherever it is, and nowhere else", () => {
  const files = releaseFiles("99.0.0", "2030-01-02");
  for (const { path, text } of files) {
    if (path === "CHANGELOG.md") continue;
    assert.ok(text.includes('"99.0.0"'), path);
    assert.ok(text.replaceAll("99.0.0", currentVersion()) === read(path), `${path} differs in more than the version`);
  }
  const changelog = files.find(({ path }) => path === "CHANGELOG.md")?.text ?? "";
  assert.match(changelog, /## Unreleased\n\n## 99\.0\.0 \(2030-01-02\)\n\n- /);
});

test("a release that goes back, or is no version, is refused with what to do", () => {
  assert.throws(() => releaseFiles("0.0.1", "2030-01-02"), /give a higher version/);
  assert.throws(() => releaseFiles("next", "2030-01-02"), /give three numbers/);
});

test("a package is published after those that it needs", () => {
  const names = publishOrder().map(({ manifest }) => manifest.name);
  for (const { manifest } of publishOrder()) {
    for (const needed of Object.keys(manifest.dependencies ?? {})) {
      if (names.includes(needed)) assert.ok(names.indexOf(needed) < names.indexOf(manifest.name), manifest.name);
    }
  }
});

test("--dry-run says what would be published and changes nothing", async () => {
  const before = await runCommand("git", ["status", "--porcelain"]);
  const { code, output } = await runCommand(process.execPath, [
    join(root, "scripts/release.ts"),
    "99.0.0",
    "--dry-run",
  ]);
  assert.equal(code, 0, output);
  for (const { manifest } of publishOrder())
    assert.match(output, new RegExp(`would publish ${manifest.name}: \\d+ files`));
  assert.equal((await runCommand("git", ["status", "--porcelain"])).output, before.output);
});
