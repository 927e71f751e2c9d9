import assert from "node:assert/strict";
import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { openDatabase } from "../../src/store/index/index-database.ts";
import { testServer } from "../support/test-server.ts";

/** What others may do with something, by its path below a folder: nothing, where there are no entries. */
function openToOthers(folder: string): string[] {
  const paths = [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))];
  return paths.flatMap((path) => {
    const { mode } = statSync(path);
    return (mode & 0o077) === 0 ? [] : [`${relative(folder, path) || "."} ${(mode & 0o777).toString(8)}`];
  });
}

test("what is said in a thread, its name and what is kept of it can be read by its user alone", async () => {
  await using folder = await tempDir("quire-privacy-");
  const home = join(folder.path, "home");
  await using host = await testServer({ home });
  const { client } = host;
  const { thread } = await client.request("thread/start", { cwd: folder.path });
  const ended = new Promise((resolve) => client.on("turn/completed", resolve));
  await client.request("turn/start", {
    threadId: thread.id,
    input: [{ type: "text", text: "say: a secret", text_elements: [] }],
  });
  await ended;
  await client.request("thread/name/set", { threadId: thread.id, name: "a secret too" });
  await client.request("thread/goal/set", { threadId: thread.id, objective: "a third one", status: "paused" });
  await client.request("thread/list", {});
  await client.request("config/value/write", { keyPath: "model", value: "m", mergeStrategy: "replace" });
  assert.ok(readdirSync(home).includes("quire-state.sqlite"));
  assert.ok(readdirSync(home).includes("quire-index.sqlite"));
  assert.deepEqual(openToOthers(home), []);
});

test("an index that others could read is taken from them", async () => {
  await using folder = await tempDir("quire-privacy-");
  openDatabase(folder.path).close();
  const path = join(folder.path, "quire-index.sqlite");
  chmodSync(path, 0o644);
  openDatabase(folder.path).close();
  assert.equal(statSync(path).mode & 0o777, 0o600);
  writeFileSync(path, "no database");
  openDatabase(folder.path).close();
  assert.equal(statSync(path).mode & 0o777, 0o600, "also one that is made anew");
});
