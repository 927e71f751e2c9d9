/** What every store of threads does, whether they are files or in a database. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { random, tempDir } from "@quire/testkit";
import { findPostgres, type PostgresServer, postgresServer } from "@quire/testkit/postgres";
import { silentLog } from "../../src/lib/log.ts";
import { applyLine, newRecord } from "../../src/record/fold.ts";
import type { NewLine, SessionMeta } from "../../src/record/rollout-line.ts";
import { openSharedStore } from "../../src/shared-store/shared-store.ts";
import { openStore } from "../../src/store/open-store.ts";
import { BadCursor, type ThreadQuery, type ThreadStore, type ThreadSummary } from "../../src/store/thread-store.ts";
import { event, everything, metaOf, turnLines } from "../store/support.ts";

const skip = findPostgres() === null && "PostgreSQL is not installed";
let postgres: PostgresServer;
before(async () => {
  if (!skip) postgres = await postgresServer();
});
after(() => postgres?.stop());

const kinds: Readonly<Record<string, (home: string) => Promise<ThreadStore>>> = {
  files: async (home) => openStore(home),
  PostgreSQL: async (home) =>
    openSharedStore({ url: await postgres.createDatabase(), home, log: silentLog, onTaken: () => {} }),
};

for (const [name, open] of Object.entries(kinds)) {
  describe(name, { skip: name === "PostgreSQL" && skip }, () => {
    test("a thread is read as it was written, also in another order of opening and closing", async () => {
      await using it = await place(open);
      const meta = metaOf(Bun.randomUUIDv7());
      await write(it.store, meta, turnLines("t1", "one", "first answer"));
      await it.store.release(meta.id);
      const opened = await it.store.open(meta.id);
      assert.equal(opened?.archived, false);
      assert.deepEqual(
        opened?.record.turns.map(({ id }) => id),
        ["t1"],
      );
      opened?.rollout.append(turnLines("t2", "two", "second answer"));
      await it.store.stored(meta.id);
      const record = await it.store.read(meta.id);
      assert.deepEqual(
        record?.turns.map(({ id, status }) => [id, status]),
        [
          ["t1", "completed"],
          ["t2", "completed"],
        ],
      );
      const turns = await it.store.turns(meta.id);
      assert.equal(turns?.count, 2);
      assert.deepEqual(await turns.read(1, 2), record?.turns.slice(1));
    });

    test("what is not there is not found, and changes nothing", async () => {
      await using it = await place(open);
      const id = Bun.randomUUIDv7();
      assert.equal(await it.store.open(id), undefined);
      assert.equal(await it.store.read(id), undefined);
      assert.equal(await it.store.turns(id), undefined);
      assert.equal(await it.store.summary(id), undefined);
      assert.equal(await it.store.exists(id), false);
      for (const change of ["archive", "unarchive", "delete"] as const) assert.equal(await it.store[change](id), false);
      assert.deepEqual(await it.store.list(everything), { threads: [], nextCursor: null, backwardsCursor: null });
    });

    test("a list shows threads in which something was said, with what is known of them", async () => {
      await using it = await place(open);
      const silent = metaOf(Bun.randomUUIDv7());
      await write(it.store, silent, [event({ kind: "name", name: "Silent" })]);
      const meta = metaOf(Bun.randomUUIDv7(), { cwd: "/work" });
      await write(it.store, meta, [
        ...turnLines("t1", "what is said\0 first \ud800"),
        event({ kind: "name", name: "Näme" }),
      ]);
      const { threads } = await it.store.list(everything);
      assert.deepEqual(
        threads.map(({ id, name: named, archived, cwd }) => [id, named, archived, cwd]),
        [[meta.id, "Näme", false, "/work"]],
      );
      assert.match(threads[0]?.preview ?? "", /^what is said/);
      assert.deepEqual(await it.store.summary(meta.id), threads[0]);
      assert.equal((await it.store.summary(silent.id))?.name, "Silent");
    });

    test("lists are filtered", async () => {
      await using it = await place(open);
      const ids = await threadsOfAllKinds(it.store);
      const of = (given: Partial<ThreadQuery>) => listed(it.store, given);
      const named = (...names: (keyof typeof ids)[]) => names.map((each) => ids[each]).sort();
      assert.deepEqual(await of({}), named("cli", "vscode"));
      assert.deepEqual(await of({ sourceKinds: ["exec"] }), named("exec"));
      assert.deepEqual(await of({ sourceKinds: ["subAgent"] }), named("child", "grandchild"));
      assert.deepEqual(await of({ modelProviders: ["other"] }), named("cli"));
      assert.deepEqual(await of({ cwds: ["/elsewhere/"] }), named("vscode"));
      assert.deepEqual(await of({ cwds: [] }), []);
      assert.deepEqual(await of({ searchTerm: "words of cli" }), named("cli"));
      assert.deepEqual(await of({ searchTerm: "%" }), []);
      assert.deepEqual(await of({ parentThreadId: ids.cli }), named("child"));
      assert.deepEqual(await of({ ancestorThreadId: ids.cli }), named("child", "grandchild"));
      assert.deepEqual(await of({ excludedThreadIds: [ids.cli] }), named("vscode"));
      assert.deepEqual(await of({ threadIds: [ids.cli, ids.exec] }), named("cli"));
      assert.deepEqual(await of({ archived: true }), named("archived"));
    });

    test("pages cover a list whole in both directions, however many threads share a time", async () => {
      await using it = await place(open);
      const { int } = random();
      for (let count = 0; count < 20; count++) {
        const timestamp = new Date(1_760_000_000_000 + int(0, 3)).toISOString();
        await write(it.store, metaOf(Bun.randomUUIDv7(), { timestamp }), turnLines("t", "x"));
      }
      for (const sortKey of ["created_at", "updated_at"] as const) {
        for (const sortDirection of ["desc", "asc"] as const) {
          const query = { ...everything, sortKey, sortDirection };
          const all = (await it.store.list(query)).threads.map(({ id }) => id);
          const seen: string[] = [];
          for (let cursor: string | null = null; ; ) {
            const page = await it.store.list({ ...query, limit: 7, cursor });
            seen.push(...page.threads.map(({ id }) => id));
            cursor = page.nextCursor;
            if (cursor === null) break;
          }
          assert.equal(new Set(all).size, 20);
          assert.deepEqual(seen, all);
        }
      }
      await assert.rejects(it.store.list({ ...everything, cursor: "nonsense" }), BadCursor);
    });

    test("a search finds what people and the model have said, and names, whatever their case", async () => {
      await using it = await place(open);
      const meta = metaOf(Bun.randomUUIDv7());
      const second = [...turnLines("t2", "And then?", "To the Harbour"), event({ kind: "name", name: "Journey" })];
      await write(it.store, meta, [...turnLines("t1", "Where to?", "Past the Lighthouse"), ...second]);
      for (const term of ["lightHOUSE", "where TO", "harbour", "journey"]) {
        assert.deepEqual(await found(it.store, term), [meta.id], term);
      }
      for (const term of ["nowhere", "%", "_"]) assert.deepEqual(await found(it.store, term), [], term);
      const opened = await reopened(it.store, meta.id);
      opened.rollout.append([event({ kind: "reverted", beforeTurnId: "t2" })]);
      await it.store.stored(meta.id);
      assert.deepEqual(await found(it.store, "harbour"), []);
      assert.deepEqual(await found(it.store, "lighthouse"), [meta.id]);
    });

    test("an archived thread leaves the list and returns, and a deleted one does not", async () => {
      await using it = await place(open);
      const meta = metaOf(Bun.randomUUIDv7());
      await write(it.store, meta, turnLines("t1", "one"));
      await it.store.release(meta.id);
      assert.equal(await it.store.archive(meta.id), true);
      assert.equal(await it.store.archive(meta.id), false);
      assert.deepEqual(await listed(it.store, {}), []);
      assert.equal((await it.store.open(meta.id))?.archived, true);
      await it.store.release(meta.id);
      assert.equal(await it.store.unarchive(meta.id), true);
      assert.deepEqual(await listed(it.store, {}), [meta.id]);
      assert.equal(await it.store.delete(meta.id), true);
      assert.deepEqual(await listed(it.store, {}), []);
      assert.deepEqual(await found(it.store, "one"), []);
      assert.equal(await it.store.exists(meta.id), false);
    });
  });
}

interface PlacedStore extends AsyncDisposable {
  readonly store: ThreadStore;
}

async function place(open: (home: string) => Promise<ThreadStore>): Promise<PlacedStore> {
  const dir = await tempDir("quire-contract-");
  const home = join(dir.path, "home");
  mkdirSync(home);
  const store = await open(home);
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      await dir.remove();
    },
  };
}

/** Writes a new thread as a loaded one does: lines, then the entry in lists. */
async function write(store: ThreadStore, meta: SessionMeta, lines: readonly NewLine[]): Promise<void> {
  const rollout = store.create(meta);
  const record = newRecord(meta, rollout.path);
  rollout.append(lines);
  for (const line of lines) applyLine(record, line, Date.now());
  store.changed(record);
  await store.stored(meta.id);
}

async function reopened(store: ThreadStore, id: string) {
  await store.release(id);
  const opened = await store.open(id);
  assert.ok(opened);
  return opened;
}

async function listed(store: ThreadStore, query: Partial<ThreadQuery>): Promise<string[]> {
  return (await store.list({ ...everything, ...query })).threads.map(({ id }: ThreadSummary) => id).sort();
}

async function found(store: ThreadStore, term: string): Promise<string[]> {
  const { results } = await store.search({
    term,
    cursor: null,
    limit: 10,
    archived: false,
    sortKey: "updated_at",
    sortDirection: "desc",
    sourceKinds: null,
  });
  return results.map(({ thread }) => thread.id);
}

async function threadsOfAllKinds(store: ThreadStore) {
  const ids = {
    cli: Bun.randomUUIDv7(),
    vscode: Bun.randomUUIDv7(),
    exec: Bun.randomUUIDv7(),
    child: Bun.randomUUIDv7(),
    grandchild: Bun.randomUUIDv7(),
    archived: Bun.randomUUIDv7(),
  };
  const spawnedBy = (parent: string) => ({
    source: { subAgent: { thread_spawn: { depth: 1, parent_thread_id: parent } } },
    parentThreadId: parent,
  });
  const add = (meta: SessionMeta) =>
    write(store, meta, turnLines(`${meta.id}-1`, `words of ${meta.id === ids.cli ? "cli" : "x"}`));
  await add(metaOf(ids.cli, { model_provider: "other" }, { source: "cli" }));
  await add(metaOf(ids.vscode, { cwd: "/elsewhere" }));
  await add(metaOf(ids.exec, {}, { source: "exec" }));
  await add(metaOf(ids.child, {}, spawnedBy(ids.cli)));
  await add(metaOf(ids.grandchild, {}, spawnedBy(ids.child)));
  await add(metaOf(ids.archived));
  await store.release(ids.archived);
  await store.archive(ids.archived);
  return ids;
}
