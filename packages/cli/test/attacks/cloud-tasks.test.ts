/** Attacks: repositories in which a task's changes are applied. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attack } from "@quire/testkit/attack";
import { cloud, loggedIn } from "../support/cloud-tasks.ts";

const diff = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-1\n+2\n";

/** Whether a program runs that a repository's configuration names, when changes are applied by ours or by git itself. */
async function runs(guarded: boolean, attributes: string, key: string): Promise<boolean> {
  await using tasks = cloud(diff);
  await using here = await loggedIn(tasks.url);
  const mark = join(here.cwd, "..", `ran-${crypto.randomUUID()}`);
  const git = (args: readonly string[], input?: string) => execFileSync("git", args, { cwd: here.cwd, input });
  writeFileSync(join(here.cwd, ".git", "info", "attributes"), attributes);
  git(["config", key, `touch '${mark}'; cat`]);
  if (guarded) assert.equal((await here.runCodex(["apply", "task_e_1"])).code, 0);
  else git(["apply", "--3way"], diff);
  assert.equal(readFileSync(join(here.cwd, "a.txt"), "utf8"), "2\n");
  return existsSync(mark);
}

attack("runs a filter of its own when changes are read", (guarded) =>
  runs(guarded, "* filter=evil\n", "filter.evil.clean"),
);

attack("runs a filter of its own when changes are written", (guarded) =>
  runs(guarded, "* filter=evil\n", "filter.evil.smudge"),
);

attack("runs a merge driver of its own when changes meet others", async (guarded) => {
  const other = diff.replace("--- a", "index d00491f..0cfbf08 100644\n--- a");
  await using tasks = cloud(other);
  await using here = await loggedIn(tasks.url);
  const mark = join(here.cwd, "..", `ran-${crypto.randomUUID()}`);
  const git = (args: readonly string[], input?: string) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: here.cwd, input });
  writeFileSync(join(here.cwd, "a.txt"), "0\n");
  git(["commit", "-qam", "Other"]);
  writeFileSync(join(here.cwd, ".git", "info", "attributes"), "* merge=evil\n");
  git(["config", "merge.evil.driver", `touch '${mark}'`]);
  if (guarded) assert.match((await here.runCodex(["apply", "task_e_1"])).stderr, /a\.txt/);
  else git(["apply", "--3way"], other);
  return existsSync(mark);
});
