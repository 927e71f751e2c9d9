import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { homesOf } from "../../src/workspace-files/homes.ts";

test("credentials in the user's own home stay hidden from an agent that has another HOME", () => {
  const { stdout } = spawnSync("/bin/sh", ["-c", 'eval "echo ~$(id -un)"'], { encoding: "utf8", env: { HOME: "/" } });
  const paths = homesOf({ home: "/nowhere/home", env: { HOME: "/nowhere/user" } }).map(({ path }) => path);
  assert.ok(paths.includes(join(stdout.trim(), ".codex")));
  assert.ok(paths.includes("/nowhere/user/.codex"));
});

test("a home is one however often it is named", () => {
  const env = { HOME: "/nowhere", CODEX_HOME: "/nowhere/.codex", QUIRE_HOME: "/nowhere/own" };
  const homes = homesOf({ home: "/nowhere/own", env });
  assert.equal(homes.filter(({ path }) => path === "/nowhere/own").length, 1);
  assert.equal(homes.filter(({ path }) => path === "/nowhere/.codex").length, 1);
});
