import assert from "node:assert/strict";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { input } from "../../support/test-client.ts";
import { testHome } from "../../support/test-server.ts";
import { unzipped } from "./unzip.ts";

test("feedback is a private file on this machine that holds the thread and no keys", async () => {
  await using place = await testHome();
  const { client } = await place.open();
  const threadId = await client.thread();
  const key = "sk-proj-0123456789abcdef";
  await client.request("turn/start", { threadId, input: input(`my key is ${key} and API_TOKEN=hunter2hunter2`) });
  await client.waitFor("turn/completed");
  const savePath = join(place.home, "report.zip");
  const params = { threadId, classification: "bug", reason: `it leaks ${key}`, includeLogs: true };
  const saved = await client.request("feedback/save", { ...params, savePath });
  assert.deepEqual([saved.savedPath, saved.threadId], [savePath, threadId]);
  assert.equal(statSync(savePath).mode & 0o777, 0o600);
  const files = await unzipped(savePath);
  assert.deepEqual(JSON.parse(files.get("report.json") ?? "").classification, "bug");
  const all = [...files.values()].join("\n");
  assert.match(all, /my key is \[redacted\]/);
  assert.doesNotMatch(all, /0123456789abcdef|hunter2/);
  await assert.rejects(client.request("feedback/save", { ...params, savePath }), /already exists/);
  await assert.rejects(client.request("feedback/save", { ...params, savePath: "relative" }), /absolute/);
  await client.request("feedback/upload", params);
  assert.equal(readdirSync(join(place.home, "feedback")).length, 1);
});

test("a client that names a pipe or a device as a log hangs nobody, and of a long log the end is kept", async () => {
  await using place = await testHome();
  const { client } = await place.open();
  const [pipe, log] = [join(place.home, "pipe.log"), join(place.home, "long.log")];
  assert.equal(Bun.spawnSync(["mkfifo", pipe]).exitCode, 0);
  writeFileSync(log, `${"x".repeat(5 * 1024 * 1024)}end`);
  const savePath = join(place.home, "report.zip");
  const extraLogFiles = [pipe, "/dev/tty", join(place.home, "none.log"), log];
  await client.request("feedback/save", { classification: "bug", includeLogs: true, extraLogFiles, savePath });
  const files = await unzipped(savePath);
  assert.deepEqual([...files.keys()].sort(), ["long.log", "report.json"]);
  assert.match(files.get("long.log") ?? "", /^x+end$/);
  assert.equal(files.get("long.log")?.length, 4 * 1024 * 1024);
});
