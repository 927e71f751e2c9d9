import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { house, input } from "../../support/house.ts";
import { unzipped } from "./unzip.ts";

test("feedback is a private file on this machine that holds the thread and no keys", async () => {
  await using place = await house();
  const { talk } = await place.open();
  const threadId = await talk.thread();
  const key = "sk-proj-0123456789abcdef";
  await talk.call("turn/start", { threadId, input: input(`my key is ${key} and API_TOKEN=hunter2hunter2`) });
  await talk.told("turn/completed");
  const savePath = join(place.home, "report.zip");
  const params = { threadId, classification: "bug", reason: `it leaks ${key}`, includeLogs: true };
  const saved = await talk.call("feedback/save", { ...params, savePath });
  assert.deepEqual([saved.savedPath, saved.threadId], [savePath, threadId]);
  assert.equal(statSync(savePath).mode & 0o777, 0o600);
  const files = await unzipped(savePath);
  assert.deepEqual(JSON.parse(files.get("report.json") ?? "").classification, "bug");
  const all = [...files.values()].join("\n");
  assert.match(all, /my key is \[redacted\]/);
  assert.doesNotMatch(all, /0123456789abcdef|hunter2/);
  await assert.rejects(talk.call("feedback/save", { ...params, savePath }), /already exists/);
  await assert.rejects(talk.call("feedback/save", { ...params, savePath: "relative" }), /absolute/);
  await talk.call("feedback/upload", params);
  assert.equal(readdirSync(join(place.home, "feedback")).length, 1);
});
