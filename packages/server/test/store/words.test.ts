/** A search looks only at threads that may have its term, whatever else there is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TimeSlice } from "../../src/lib/time-slice.ts";
import { openDatabase, openInMemory } from "../../src/store/index/index-database.ts";
import { searchAmongStatement, unreadStatement } from "../../src/store/index/list-query.ts";
import { ThreadTable } from "../../src/store/index/thread-table.ts";
import { threadsWith } from "../../src/store/index/threads-with.ts";
import type { ThreadSearch } from "../../src/store/thread-store.ts";
import { event, everything, metaOf, storeThread, testStore, turnLines } from "./support.ts";

const search = (term: string): ThreadSearch => ({ ...everything, sortKey: "created_at", term });

test("after the first search, threads without the term are not looked at any more", async () => {
  await using it = await testStore();
  const metas = Array.from({ length: 40 }, () => metaOf(Bun.randomUUIDv7()));
  const rollouts = metas.map((meta, n) => storeThread(it.store, `said ${n}: "none" of it`, meta));
  const [first, second, third] = metas.map(({ id }) => id) as [string, string, string];
  const hits = async (term: string) => (await it.store.search(search(term))).results.map(({ thread }) => thread.id);
  const candidates = async (term: string) => {
    const db = openDatabase(it.home);
    try {
      return (await threadsWith(new ThreadTable(db), search(term), new TimeSlice())) ?? "all";
    } finally {
      db.close();
    }
  };
  await it.store.list(everything);
  assert.equal((await candidates("unheard")).length, 40, "nothing is known before");
  assert.deepEqual(await hits("unheard"), []);
  assert.deepEqual(await candidates("unheard"), []);
  assert.deepEqual(await candidates('said 0: "none'), [first]);
  assert.equal(await candidates("of"), "all", "two letters tell nothing");
  rollouts[1]?.append([...turnLines("b", "unheard"), event({ kind: "name", name: "Überschrift" })]);
  rollouts[2]?.append(turnLines("b", "other words"));
  assert.deepEqual(await hits("UNHEARD"), [second]);
  assert.deepEqual(await candidates("unheard"), [second]);
  assert.deepEqual(await candidates("überschrift"), [second]);
  assert.deepEqual(await candidates("other words"), [third]);
  await it.store.archive(second);
  assert.deepEqual(await hits("unheard"), []);
  await it.store.unarchive(second);
  assert.deepEqual(await candidates("unheard"), [second], "its text is still known");
  await it.store.delete(second);
  assert.deepEqual(await candidates("unheard"), []);
});

test("a term is found anywhere in a long text, in any script, also across its pieces", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const terms = ["Straße 7", "ΟΔΟΣ", "日本語だよ", "🙂🙃🙂", 'a "quoted" AND NOT b', "two\nlines"];
  const filler = (letters: number) => "x".repeat(letters);
  // Around the ends of pieces, at every distance.
  const long = terms.map((term, n) => `${filler(8190 - n * 3)} ${term} `).join("");
  storeThread(it.store, long, meta);
  for (let round = 0; round < 2; round++) {
    for (const term of [...terms, ...terms.map((each) => each.toLowerCase()), `${filler(300)} ${terms[1]}`]) {
      const { results } = await it.store.search(search(term));
      assert.deepEqual(
        results.map(({ thread }) => thread.id),
        [meta.id],
        term.slice(-20),
      );
    }
    assert.deepEqual((await it.store.search(search("y".repeat(5)))).results, []);
  }
});

test("SQLite looks up what a search is about, and goes through no table for it", () => {
  using db = openInMemory();
  const statements = [searchAmongStatement(search("term"), ["a"]), unreadStatement(search("term"), 1)];
  for (const { sql, values } of statements) {
    const plan = db.query<{ detail: string }, typeof values>(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
    const steps = plan.map(({ detail }) => detail);
    assert.ok(
      steps.some((step) => /^SEARCH threads USING (PRIMARY KEY|COVERING INDEX unread)/.test(step)),
      steps.join("; "),
    );
    assert.ok(!steps.some((step) => step.startsWith("SCAN threads")), steps.join("; "));
  }
});
