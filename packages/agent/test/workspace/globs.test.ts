import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorkspace } from "@quire/agent";
import { tempDir } from "@quire/testkit";
import { harvest, plant } from "./files.ts";

const files = {
  "x.ts": "",
  "x.js": "",
  ".hidden": "",
  "src/a.ts": "",
  "src/a.test.ts": "",
  "src/deep/b.ts": "",
  "node_modules/m/index.js": "",
  "odd/a+b (1).txt": "",
  "odd/[x].txt": "",
};

async function copied(includeGlob: readonly string[], excludeGlob: readonly string[] = []): Promise<string[]> {
  await using host = await tempDir("host-");
  await plant(host.path, files);
  await using workspace = await createWorkspace({
    mounts: [{ hostPath: host.path, mountPath: ".", includeGlob, excludeGlob }],
  });
  return Object.keys(await harvest(workspace.dir)).sort();
}

test("7.5: exclude beats include, and no include means all", async () => {
  assert.deepEqual(await copied([]), Object.keys(files).sort());
  assert.deepEqual(await copied(["src"], ["*.test.ts"]), ["src/a.ts", "src/deep/b.ts"]);
  assert.deepEqual(await copied([], ["src", "odd", "node_modules"]), [".hidden", "x.js", "x.ts"]);
});

test("7.5: globs see the path within the mount, with slashes", async () => {
  assert.deepEqual(await copied(["src/deep/b.ts"]), ["src/deep/b.ts"]);
  assert.deepEqual(await copied(["/x.ts"]), ["x.ts"]);
});

test("7.6: one dialect: a star stays within a part, two cross folders or none", async () => {
  assert.deepEqual(await copied(["src/*.ts"]), ["src/a.test.ts", "src/a.ts"]);
  assert.deepEqual(await copied(["**/x.ts"]), ["x.ts"]);
  assert.deepEqual(await copied(["**/*.ts"], ["**/*.test.ts"]), ["src/a.ts", "src/deep/b.ts", "x.ts"]);
  assert.deepEqual(await copied(["src/**"]), ["src/a.test.ts", "src/a.ts", "src/deep/b.ts"]);
  assert.deepEqual(await copied(["*.ts"]), ["src/a.test.ts", "src/a.ts", "src/deep/b.ts", "x.ts"]);
  assert.deepEqual(await copied(["x.?s"]), ["x.js", "x.ts"]);
  assert.deepEqual(await copied(["x.{ts,js}"]), ["x.js", "x.ts"]);
  assert.deepEqual(await copied(["x.[jt]s"]), ["x.js", "x.ts"]);
  assert.deepEqual(await copied(["x.[!j]s"]), ["x.ts"]);
  assert.deepEqual(await copied(["odd/a+b (1).txt"]), ["odd/a+b (1).txt"]);
  assert.deepEqual(await copied(["odd/\\[x\\].txt"]), ["odd/[x].txt"]);
  assert.deepEqual(await copied(["SRC"]), []);
  await assert.rejects(copied(["[z-a]"]), /check its brackets/);
});
