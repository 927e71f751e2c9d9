/** What keeps a place free is there while commands run, takes nothing away, and is gone afterwards. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "@quire/testkit";
import { findProject } from "../../../src/config/project.ts";
import {
  holdPlaceholders,
  removeIdlePlaceholders,
  removePlaceholder,
} from "../../../src/run/sandbox/hold-placeholders.ts";
import { sweepPlaceholders } from "../../../src/run/sandbox/placeholder-journal.ts";
import { sandboxLauncher } from "../../../src/run/sandbox/sandbox-launcher.ts";
import { isPlaceholder } from "../../../src/workspace-files/placeholder.ts";
import { world } from "../../attacks/support/world.ts";

test("a place is kept until the last command that needs it has ended", async () => {
  await using place = await world();
  const path = join(place.workspace, ".codex");
  const [first, second] = [holdPlaceholders([path], place.home), holdPlaceholders([path], place.home)];
  assert.ok(isPlaceholder(path));
  first();
  assert.ok(existsSync(path));
  second();
  await eventually(() => !existsSync(path));
});

test("a command that follows at once finds the place kept, also where somebody removed it meanwhile", async () => {
  await using place = await world();
  const path = join(place.workspace, ".codex");
  holdPlaceholders([path], place.home)();
  rmdirSync(path);
  const release = holdPlaceholders([path], place.home);
  assert.ok(isPlaceholder(path));
  release();
  removeIdlePlaceholders();
  assert.ok(!existsSync(path));
});

test("a command with full access finds nothing in its place", async () => {
  await using place = await world();
  const path = join(place.workspace, ".git");
  const launcher = sandboxLauncher({ home: place.home, env: process.env });
  holdPlaceholders([path], place.home)();
  launcher(
    { argv: ["true"], cwd: place.workspace, env: {} },
    { policy: { type: "dangerFullAccess" }, workspace: [place.workspace], tty: false },
  );
  assert.ok(!existsSync(path));
});

test("a server that ends leaves no placeholder", async () => {
  await using place = await world();
  const path = join(place.workspace, ".codex");
  const source = join(import.meta.dirname, "../../../src/run/sandbox/hold-placeholders.ts");
  const script = `const { holdPlaceholders } = await import(${JSON.stringify(source)}); holdPlaceholders([${JSON.stringify(path)}], ${JSON.stringify(place.home)})(); console.log(require("node:fs").existsSync(${JSON.stringify(path)}));`;
  const server = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = await once(server.stdout, "data");
  assert.equal(String(said).trim(), "true");
  await once(server, "exit");
  assert.ok(!existsSync(path));
});

test("what a user puts into a placeholder stays, and counts", async () => {
  await using place = await world();
  const path = join(place.workspace, ".git");
  const release = holdPlaceholders([path], place.home);
  assert.ok(isPlaceholder(path));
  writeFileSync(join(path, "HEAD"), "ref: refs/heads/main\n");
  assert.ok(!isPlaceholder(path));
  release();
  removeIdlePlaceholders();
  assert.equal(readFileSync(join(path, "HEAD"), "utf8"), "ref: refs/heads/main\n");
});

test("a start-up file that a user writes meanwhile stays", async () => {
  await using place = await world();
  const path = join(place.base, ".bashrc");
  const release = holdPlaceholders([path], place.home);
  assert.equal(readFileSync(path, "utf8"), "");
  writeFileSync(path, "alias l=ls\n");
  release();
  removeIdlePlaceholders();
  assert.equal(readFileSync(path, "utf8"), "alias l=ls\n");
});

test("an empty folder of the user's own is not removed", async () => {
  await using place = await world();
  const path = join(place.workspace, ".agents");
  mkdirSync(path);
  holdPlaceholders([path], place.home)();
  removeIdlePlaceholders();
  removePlaceholder(path);
  assert.ok(existsSync(path));
});

test("the folder that keeps the place of .git marks no project", async () => {
  await using place = await world();
  const below = join(place.workspace, "below");
  mkdirSync(below);
  const release = holdPlaceholders([join(place.workspace, ".git")], place.home);
  assert.equal(findProject(below, {}).root, below);
  writeFileSync(join(place.workspace, ".git/HEAD"), "");
  assert.equal(findProject(below, {}).root, place.workspace);
  release();
});

test("two servers share a placeholder: the one that ends first leaves it to the other", async () => {
  await using place = await world();
  const path = join(place.workspace, ".codex");
  const source = join(import.meta.dirname, "../../../src/run/sandbox/hold-placeholders.ts");
  const script = `const { holdPlaceholders } = await import(${JSON.stringify(source)}); const release = holdPlaceholders([${JSON.stringify(path)}], ${JSON.stringify(place.home)}); console.log("held"); process.stdin.once("data", () => { release(); process.exit(); });`;
  const other = spawn(process.execPath, ["-e", script], { stdio: ["pipe", "pipe", "inherit"] });
  await once(other.stdout, "data");
  holdPlaceholders([path], place.home)();
  removeIdlePlaceholders();
  assert.ok(existsSync(path), "removed although the other server has a command that needs it");
  const release = holdPlaceholders([path], place.home);
  other.stdin.end("end\n");
  await once(other, "exit");
  assert.ok(existsSync(path), "removed by the other server");
  release();
  removeIdlePlaceholders();
  assert.ok(!existsSync(path));
});

test("what a server that was killed has left is removed by the next", async () => {
  await using place = await world();
  const [empty, filled] = [join(place.workspace, ".codex"), join(place.workspace, ".agents")];
  const source = join(import.meta.dirname, "../../../src/run/sandbox/hold-placeholders.ts");
  const script = `const { holdPlaceholders } = await import(${JSON.stringify(source)}); holdPlaceholders(${JSON.stringify([empty, filled])}, ${JSON.stringify(place.home)}); console.log("held"); setInterval(() => {}, 1000);`;
  const server = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(server.stdout, "data");
  sweepPlaceholders(place.home, removePlaceholder);
  assert.ok(existsSync(empty), "it is still running");
  server.kill("SIGKILL");
  await once(server, "exit");
  mkdirSync(join(filled, "skills"));
  await eventually(() => {
    sweepPlaceholders(place.home, removePlaceholder);
    return !existsSync(empty);
  });
  assert.ok(existsSync(join(filled, "skills")));
  assert.deepEqual(readdirSync(join(place.home, "sandbox")), []);
});

test("where nothing can be made, nothing is", async () => {
  await using place = await world();
  const path = join(place.workspace, "gone/.codex");
  holdPlaceholders([path], place.home)();
  removeIdlePlaceholders();
  assert.ok(!existsSync(path));
});
