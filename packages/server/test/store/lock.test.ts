import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { everything, metaOf, storeThread, testStore, turnLines } from "./support.ts";

const rival = join(dirname(fileURLToPath(import.meta.url)), "lock-rival.ts");

test("of many processes that write to one thread no two do so at the same time", { timeout: 540_000 }, async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const { path } = storeThread(it.store, "begin", meta);
  const [rivals, turns] = [4, 25];
  const ends = Array.from({ length: rivals }, () => {
    const child = spawn(process.execPath, [rival, it.home, meta.id, String(turns)], { stdio: "inherit" });
    return new Promise((resolve) => child.once("exit", resolve));
  });
  assert.deepEqual(await Promise.all(ends), [0, 0, 0, 0]);
  const record = await it.store.read(meta.id);
  assert.equal(record?.turns.length, 1 + rivals * turns);
  // Whole turns one after another: a second writer would have put its lines between.
  const turnIds = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map((line) => line.turnId ?? line.payload.turnId)
    .filter((turnId) => turnId !== undefined);
  const changes = turnIds.filter((turnId, at) => turnId !== turnIds[at - 1]).length;
  assert.equal(changes, 1 + rivals * turns);
  assert.deepEqual(readdirSync(join(it.home, "locks")), []);
});

test("where locks or rollouts cannot be written, a write says what to do, and reading goes on", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = storeThread(it.store, "hi", meta);
  rmdirSync(join(it.home, "locks"));
  writeFileSync(join(it.home, "locks"), "a file in the place of the folder");
  assert.throws(() => rollout.append(turnLines("b", "no")), /cannot write to .*locks.*check the folder's permissions/);
  assert.equal((await it.store.list(everything)).threads.length, 1);
  assert.equal((await it.store.read(meta.id))?.turns.length, 1);
  rmSync(join(it.home, "locks"));
  rmSync(join(it.home, "sessions"), { recursive: true });
  assert.throws(
    () => rollout.append(turnLines("b", "no")),
    /no rollout found for thread id .* is gone; fork the thread/,
  );
  writeFileSync(join(it.home, "sessions"), "");
  assert.throws(() => storeThread(it.store, "new"), /cannot write the thread's rollout/);
  assert.deepEqual(readdirSync(join(it.home, "locks")), []);
});
