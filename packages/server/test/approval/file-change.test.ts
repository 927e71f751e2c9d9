/** What a question about a patch says beyond the changes, and what becomes of a patch whose files have changed. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { FakeThread } from "../tools/fake-context.ts";

const asked = "item/fileChange/requestApproval";

/** Asks about a patch in a folder, accepts it, and gives the thread. */
async function patched(cwd: string, patch: string, meanwhile?: () => void) {
  const thread = new FakeThread(cwd, { settings: { approvalPolicy: "untrusted" } });
  thread.answer = async () => {
    meanwhile?.();
    return { decision: "accept" };
  };
  const told: string = await thread.call("apply_patch", `*** Begin Patch\n${patch}\n*** End Patch`, { kind: "custom" });
  await thread[Symbol.asyncDispose]();
  return { thread, told, reason: thread.all(asked)[0].reason as string | null };
}

test("a question about a patch says which files it replaces", async () => {
  await using folder = await tempDir("quire-change-");
  const { path } = folder;
  for (const name of ["a", "b", "c"]) writeFileSync(join(path, name), "one\n");
  const { reason } = await patched(path, "*** Add File: a\n+new\n*** Update File: b\n*** Move to: c\n@@\n-one\n+two");
  assert.equal(reason, `${path}/a is there already and is replaced. ${path}/c is there already and is replaced.`);
  assert.equal((await patched(path, "*** Add File: d\n+new")).reason, null);
});

test("a question about a patch says where links lead, but for one that the workspace lies behind", async () => {
  await using folder = await tempDir("quire-change-");
  const { path } = folder;
  for (const name of ["real", "other"]) mkdirSync(join(path, name));
  symlinkSync("real", join(path, "work"));
  symlinkSync("../other", join(path, "real", "link"));
  const cwd = join(path, "work");
  assert.equal((await patched(cwd, "*** Add File: a\n+new")).reason, null);
  const { reason } = await patched(cwd, "*** Add File: link/a\n+new");
  assert.equal(reason, `${cwd}/link/a leads to ${path}/other/a.`);
});

test("a patch whose file has changed since it was shown fails and says so; the file stays", async () => {
  await using folder = await tempDir("quire-change-");
  const file = join(folder.path, "a");
  writeFileSync(file, "one\n");
  const edit = () => writeFileSync(file, "one\nmine\n");
  const { thread, told } = await patched(folder.path, "*** Update File: a\n@@\n-one\n+two", edit);
  assert.match(told, /^Exit code: 1\n[\s\S]*has changed since the patch was approved/);
  assert.equal(thread.all("completed")[0].status, "failed");
  assert.equal(readFileSync(file, "utf8"), "one\nmine\n");
});
