/** What lies beside the rollouts: an index that somebody holds, names that were half written, files from elsewhere. */
import { Database } from "bun:sqlite";
import assert from "node:assert/strict";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { openStore } from "../../src/store/open-store.ts";
import { event, everything, metaOf, storeThread, testStore, turnLines } from "./support.ts";

const isWhole = (text: string): boolean => !/\p{Surrogate}/u.test(text);

test("threads are listed also while a process that was stopped holds the index", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = storeThread(it.store, "first", meta);
  assert.equal((await it.store.list(everything)).threads.length, 1);
  using held = new Database(join(it.home, "quire-index.sqlite"));
  held.run("BEGIN IMMEDIATE");
  storeThread(it.store, "second");
  rollout.append(turnLines("again", "more"));
  const { threads } = await it.store.list(everything);
  assert.deepEqual(threads.map(({ preview }) => preview).sort(), ["first", "second"]);
  assert.equal((await it.store.search({ ...everything, sortKey: "created_at", term: "more" })).results.length, 1);
});

test("a name is kept although the one before it was half written", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = storeThread(it.store, "hi", meta);
  rollout.append([event({ kind: "name", name: "old" })]);
  appendFileSync(join(it.home, "session_index.jsonl"), `{"id":"${meta.id}","thread_na`);
  rollout.append([event({ kind: "name", name: "new" })]);
  const later = openStore(it.home);
  assert.equal((await later.read(meta.id))?.name, "new");
  assert.equal((await later.list(everything)).threads[0]?.name, "new");
  await later.close();
});

test("a thread that was resumed from elsewhere is found by its id again, and not listed", async () => {
  await using it = await testStore();
  await using elsewhere = await tempDir("quire-elsewhere-");
  const own = metaOf(Bun.randomUUIDv7());
  const { path } = storeThread(it.store, "own", own);
  const id = Bun.randomUUIDv7();
  const foreign = join(elsewhere.path, "foreign.jsonl");
  writeFileSync(foreign, readFileSync(path, "utf8").replaceAll(own.id, id));
  const opened = await it.store.openPath(foreign);
  opened.rollout.append(turnLines("next", "more"));
  it.store.changed(opened.record);
  const ids = async (store: typeof it.store) => (await store.list(everything)).threads.map((thread) => thread.id);
  assert.deepEqual(await ids(it.store), [own.id]);

  const later = openStore(it.home);
  assert.equal((await later.read(id))?.turns.length, 2);
  (await later.open(id))?.rollout.append(turnLines("last", "still"));
  assert.deepEqual(await ids(later), [own.id]);
  assert.equal((await later.read(id))?.turns.length, 3);
  assert.equal(await later.exists(Bun.randomUUIDv7()), false);
  await later.close();
});

test("what is shown of a long message ends with a whole character, which some clients insist on", async () => {
  await using it = await testStore();
  storeThread(it.store, `${"x".repeat(9_999)}😀`, metaOf(Bun.randomUUIDv7()));
  storeThread(it.store, `${"😀".repeat(30)}found${"😀".repeat(60)}`, metaOf(Bun.randomUUIDv7()));
  const { threads } = await it.store.list(everything);
  assert.deepEqual(
    threads.map(({ preview }) => isWhole(preview)),
    [true, true],
  );
  for (const term of ["found", "ound"]) {
    const { results } = await it.store.search({ ...everything, sortKey: "created_at", term });
    assert.ok(isWhole(results[0]?.snippet ?? "\ud83d"));
  }
});

test("paging through a stored thread of thousands of turns takes a page the time of a page, and shows what is added", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = storeThread(it.store, "first", meta);
  rollout.append(Array.from({ length: 3000 }, (_, turn) => turnLines(`turn-${turn}`, "say")).flat());
  const took = async (work: () => Promise<unknown>): Promise<number> => {
    const before = performance.now();
    await work();
    return performance.now() - before;
  };
  const first = await took(() => it.store.read(meta.id));
  const others = await took(async () => {
    for (let page = 0; page < 100; page++) assert.equal((await it.store.read(meta.id))?.turns.length, 3001);
  });
  // Reading it anew for each page would take a hundred times as long; a busy machine may take a few.
  assert.ok(others < first * 20, `${others} ms for 100 pages after ${first} ms for one`);
  const other = openStore(it.home);
  (await other.open(meta.id))?.rollout.append([...turnLines("added", "say"), event({ kind: "name", name: "named" })]);
  await other.close();
  const record = await it.store.read(meta.id);
  assert.deepEqual([record?.turns.length, record?.name], [3002, "named"]);
});
