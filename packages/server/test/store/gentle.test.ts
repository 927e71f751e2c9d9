/** Reading, copying and searching long threads lets other requests in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TurnTexts } from "../../src/thread/turn-texts.ts";
import { everything, metaOf, testStore, turnLines } from "./support.ts";

const turns = 3000;

/** How often others get a turn while something is done. */
async function turnsOfOthers(work: Promise<unknown>): Promise<number> {
  let count = 0;
  let over = false;
  const done = work.finally(() => {
    over = true;
  });
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve));
    count++;
  }
  await done;
  return count;
}

test("a long thread is read, opened, searched, copied and encoded with others in between, and whole", async () => {
  await using place = await testStore();
  const { store } = place;
  const meta = metaOf(Bun.randomUUIDv7());
  const copy = metaOf(Bun.randomUUIDv7());
  const lines = Array.from({ length: turns }, (_, n) => turnLines(`turn-${n}`, `said ${n}`)).flat();
  store.create(meta).append([{ type: "session_meta", payload: meta }, ...lines]);
  const query = { cursor: null, limit: 5, archived: false, sortKey: "created_at", sortDirection: "desc" } as const;
  const works = {
    search: () => store.search({ ...query, term: "not there", sourceKinds: null }),
    read: () => store.read(meta.id),
    open: () => store.open(meta.id),
    copy: () => store.create(copy).appendGently([{ type: "session_meta", payload: copy }, ...lines]),
  };
  for (const [name, work] of Object.entries(works)) assert.ok((await turnsOfOthers(work())) > 5, name);
  const all = (await store.read(meta.id))?.turns ?? [];
  assert.ok((await turnsOfOthers(TurnTexts.of(all))) > 5, "encode");
  assert.equal((await store.read(meta.id))?.turns.length, turns);
  assert.equal((await store.open(meta.id))?.record.turns.length, turns);
  assert.equal((await store.read(copy.id))?.turns.length, turns);
  const found = await store.search({ ...query, term: `SAID ${turns - 1}`, sourceKinds: null });
  assert.deepEqual(found.results.map(({ thread }) => thread.id).sort(), [meta.id, copy.id].sort());
});

test("a long thread that another server has added to is read again with others in between", async () => {
  await using place = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const lines = Array.from({ length: turns }, (_, n) => turnLines(`turn-${n}`, `said ${n}`)).flat();
  place.store.create(meta).append([{ type: "session_meta", payload: meta }, ...lines]);
  const [loaded, other] = [await place.store.open(meta.id), await place.store.open(meta.id)];
  other?.rollout.append(turnLines("added", "more"));
  const reading = loaded?.rollout.newer() ?? Promise.resolve(undefined);
  assert.ok((await turnsOfOthers(reading)) > 5);
  assert.equal((await reading)?.turns.length, turns + 1);
  assert.equal(await loaded?.rollout.newer(), undefined);
  other?.rollout.append(turnLines("again", "more"));
  const overtaken = loaded?.rollout.newer();
  assert.equal(loaded?.rollout.begin()?.turns.length, turns + 2);
  loaded?.rollout.end();
  assert.equal(await overtaken, undefined, "what a writer has read is newer");
});

test("a list that finds a long fork for the first time lets others in", async () => {
  await using place = await testStore();
  const parent = Bun.randomUUIDv7();
  const meta = metaOf(Bun.randomUUIDv7(), { forked_from_id: parent });
  const lines = Array.from({ length: turns }, (_, n) => turnLines(`turn-${n}`, `said ${n}`)).flat();
  place.store.create(meta).append([{ type: "session_meta", payload: meta }, ...lines]);
  assert.ok((await turnsOfOthers(place.store.list(everything))) > 5);
  assert.equal((await place.store.list(everything)).threads[0]?.preview, "said 0");
});
