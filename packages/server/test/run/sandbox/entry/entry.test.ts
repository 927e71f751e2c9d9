/** A command does not notice the program that starts it in a sandbox. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findEntry, innerArguments } from "../../../../src/run/sandbox/entry/find-entry.ts";
import { rulesetOf } from "../../../../src/run/sandbox/entry/landlock.ts";
import { findBubblewrap } from "../../../../src/run/sandbox/find-bubblewrap.ts";
import { world } from "../../../attacks/support/world.ts";

test("a command's status, its end by a signal and its failure to start are told as they are", async () => {
  await using place = await world();
  const entry = findEntry(place.home, findBubblewrap(process.env.PATH, []).path);
  assert.ok(entry);
  const [, ...inner] = innerArguments(entry, [place.workspace]);
  const run = (...argv: string[]) => {
    const { status, stdout, stderr } = spawnSync(entry.path, [...inner, ...argv], {
      cwd: place.workspace,
      encoding: "utf8",
      env: { PATH: process.env.PATH },
    });
    return { status, said: stdout + stderr };
  };
  assert.deepEqual(run("/bin/sh", "-c", "exit 3"), { status: 3, said: "" });
  assert.equal(run("/bin/sh", "-c", "kill -KILL $$").status, 137);
  assert.deepEqual(run("echo", "found by PATH"), { status: 0, said: "found by PATH\n" });
  assert.equal(run("/nonexistent/program").status, 127);
  assert.match(run("/nonexistent/program").said, /nonexistent.*No such file/);
  const script = join(place.workspace, "script");
  writeFileSync(script, "echo without a first line\n");
  chmodSync(script, 0o755);
  assert.deepEqual(run(script), { status: 0, said: "without a first line\n" });
  assert.deepEqual(run("/bin/sh", "-c", "echo x > /dev/null; ls /proc/self/fd | wc -l"), { status: 0, said: "4\n" });
  assert.equal(spawnSync(entry.path, ["c"]).status, 126, "without arguments nothing runs");
});

test("each version of Landlock is asked for what it knows", () => {
  assert.equal(rulesetOf(0), undefined);
  assert.equal(rulesetOf(1), undefined, "nothing could be moved from one folder to another");
  assert.equal(rulesetOf(2)?.handled, 0x3ff2);
  assert.equal(rulesetOf(5)?.handled, 0x7ff2);
  assert.equal(rulesetOf(5)?.scoped, 0);
  assert.equal(rulesetOf(7)?.scoped, 3);
});
