import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { compressRollouts } from "../../src/store/compress-rollouts.ts";
import { everything, metaOf, storeThread, testStore, turnLines } from "./support.ts";

const running = new AbortController().signal;
const days = 24 * 3600;

function age(path: string, seconds: number): void {
  const then = Math.floor(Date.now() / 1000) - seconds;
  utimesSync(path, then, then);
}

test("rollouts that have rested for a week are packed, and are listed, found, read and gone on with as before", async () => {
  await using it = await testStore();
  const [old, young, archived] = [metaOf(Bun.randomUUIDv7()), metaOf(Bun.randomUUIDv7()), metaOf(Bun.randomUUIDv7())];
  const paths = [old, young, archived].map((meta, index) => storeThread(it.store, `words ${index}`, meta).path);
  const [oldPath = "", youngPath = "", archivedPath = ""] = paths;
  await it.store.archive(archived.id);
  const moved = join(it.home, "archived_sessions", basename(archivedPath));
  age(oldPath, 8 * days);
  age(youngPath, 6 * days);
  age(moved, 8 * days);
  const before = statSync(oldPath);
  const loaded = await it.store.open(old.id);

  assert.deepEqual(await compressRollouts(it.home, running), { packed: 2, failures: [] });
  assert.deepEqual([oldPath, youngPath, moved].map(existsSync), [false, true, false]);
  const packed = statSync(`${oldPath}.zst`);
  assert.deepEqual([packed.mtimeMs, packed.mode], [before.mtimeMs, before.mode]);
  assert.ok(packed.size < before.size);

  const { threads } = await it.store.list(everything);
  assert.deepEqual(threads.map(({ preview }) => preview).sort(), ["words 0", "words 1"]);
  assert.equal((await it.store.read(archived.id))?.preview, "words 2");
  assert.equal((await it.store.openPath(oldPath)).record.preview, "words 0", "by the name that clients know");
  assert.ok(await it.store.unarchive(archived.id));
  assert.equal((await it.store.list(everything)).threads.length, 3);

  // One that was loaded all the while knows only the unpacked file.
  loaded?.rollout.append(turnLines("next", "more"));
  assert.deepEqual([existsSync(oldPath), existsSync(`${oldPath}.zst`)], [true, false]);
  assert.equal(statSync(oldPath).mode, before.mode);
  assert.equal((await it.store.read(old.id))?.turns.length, 2);
});

test("what somebody writes to is left alone, and so is a home that was packed within hours", async () => {
  await using it = await testStore();
  const [mine, theirs, free] = [metaOf(Bun.randomUUIDv7()), metaOf(Bun.randomUUIDv7()), metaOf(Bun.randomUUIDv7())];
  const rollout = storeThread(it.store, "mine", mine);
  const paths = [rollout.path, ...[theirs, free].map((meta) => storeThread(it.store, "words", meta).path)];
  // As Codex marks a thread that it has loaded.
  mkdirSync(join(it.home, "thread-writer-locks"));
  writeFileSync(join(it.home, "thread-writer-locks", `${theirs.id}.lock`), "");
  for (const path of paths) age(path, 8 * days);
  rollout.begin();
  assert.equal((await compressRollouts(it.home, running)).packed, 1);
  assert.deepEqual(paths.map(existsSync), [true, true, false]);
  rollout.end();
  assert.equal((await compressRollouts(it.home, running)).packed, 0, "not again so soon");
  age(join(it.home, ".tmp", "rollout-compression.lock"), days);
  assert.equal((await compressRollouts(it.home, running)).packed, 1);
  assert.deepEqual(paths.map(existsSync), [false, true, false]);
  assert.ok(readdirSync(dirname(rollout.path)).every((name) => !name.endsWith(".tmp")));
});

test("what a killed run has left behind does no harm", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const { path } = storeThread(it.store, "words", meta);
  writeFileSync(`${path}.zst`, Bun.zstdCompressSync(readFileSync(path)));
  writeFileSync(`${path}.zst.tmp`, "half");
  assert.equal((await it.store.list(everything)).threads.length, 1);
  age(path, 8 * days);
  assert.equal((await compressRollouts(it.home, running)).packed, 1);
  assert.deepEqual(readdirSync(dirname(path)), [`${basename(path)}.zst`]);
  assert.equal((await it.store.read(meta.id))?.preview, "words");
});
