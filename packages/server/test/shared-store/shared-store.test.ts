import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { eventually, tempDir } from "@quire/testkit";
import { findPostgres, type PostgresServer, postgresServer } from "@quire/testkit/postgres";
import { silentLog } from "../../src/lib/log.ts";
import { openSharedStore } from "../../src/shared-store/shared-store.ts";
import type { ThreadStore } from "../../src/store/thread-store.ts";
import { event, everything, metaOf, storeThread, turnLines } from "../store/support.ts";

const skip = findPostgres() === null && "PostgreSQL is not installed";
let postgres: PostgresServer;
before(async () => {
  if (!skip) postgres = await postgresServer();
});
after(() => postgres?.stop());

interface Node extends AsyncDisposable {
  readonly store: ThreadStore;
  readonly taken: string[];
}

/** A store with a home of its own, as another machine would have. */
async function node(url: string, leaseMs = 60_000): Promise<Node> {
  const dir = await tempDir("quire-node-");
  const taken: string[] = [];
  const onTaken = (threadId: string) => void taken.push(threadId);
  const store = openSharedStore({ url, home: join(dir.path, "home"), log: silentLog, leaseMs, onTaken });
  return {
    store,
    taken,
    async [Symbol.asyncDispose]() {
      await store.close();
      await dir.remove();
    },
  };
}

const saidIn = async (store: ThreadStore, id: string): Promise<string[]> =>
  ((await store.read(id))?.turns ?? []).flatMap(({ items }) =>
    items.flatMap((item) => (item.type === "agentMessage" ? [item.text] : [])),
  );

test("what one server stores, another lists, finds and reads", { skip }, async () => {
  const url = await postgres.createDatabase();
  await using first = await node(url);
  await using second = await node(url);
  const meta = metaOf(Bun.randomUUIDv7());
  storeThread(first.store, "where is the lighthouse?", meta);
  await first.store.stored(meta.id);
  const [listed] = (await second.store.list(everything)).threads;
  assert.equal(listed?.id, meta.id);
  assert.equal(listed.preview, "where is the lighthouse?");
  assert.deepEqual(await saidIn(second.store, meta.id), ["ok"]);
  const found = await second.store.search({
    term: "LIGHTHOUSE",
    cursor: null,
    limit: 10,
    archived: false,
    sortKey: "updated_at",
    sortDirection: "desc",
    sourceKinds: null,
  });
  assert.deepEqual(
    found.results.map(({ thread, snippet }) => [thread.id, snippet]),
    [[meta.id, "where is the lighthouse?"]],
  );
});

test("a thread has one writer; the next gets it when it is given back, with all that was written", {
  skip,
}, async () => {
  const url = await postgres.createDatabase();
  await using first = await node(url);
  await using second = await node(url);
  const meta = metaOf(Bun.randomUUIDv7());
  storeThread(first.store, "one", meta);
  await first.store.stored(meta.id);
  await assert.rejects(second.store.open(meta.id), { name: "ThreadOnNode" });
  await first.store.release(meta.id);
  const opened = await second.store.open(meta.id);
  opened?.rollout.append(turnLines("t2", "two", "second answer"));
  await second.store.stored(meta.id);
  assert.deepEqual(await saidIn(first.store, meta.id), ["ok", "second answer"]);
});

test("a server whose lease is over loses its thread: what it writes then is nowhere", { skip }, async () => {
  const url = await postgres.createDatabase();
  await using first = await node(url, 60_000);
  await using second = await node(url);
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = storeThread(first.store, "one", meta);
  await first.store.stored(meta.id);
  await expire(url);
  const opened = await second.store.open(meta.id);
  assert.equal(opened?.record.turns.length, 1);
  rollout.append(turnLines("t2", "late", "too late"));
  const late = first.store.stored(meta.id);
  assert.ok(late, "it must wait for the database");
  await assert.rejects(late, { name: "ThreadTaken" });
  assert.deepEqual(first.taken, [meta.id]);
  assert.throws(() => rollout.append(turnLines("t3", "later")), { name: "ThreadTaken" });
  await first.store.release(meta.id);
  assert.deepEqual(await saidIn(first.store, meta.id), ["ok"]);
  assert.deepEqual(await saidIn(second.store, meta.id), ["ok"]);
});

test("a database that restarts delays what is written, and loses nothing", { skip }, async () => {
  const url = await postgres.createDatabase();
  await using first = await node(url);
  await using second = await node(url);
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = storeThread(first.store, "one", meta);
  await first.store.stored(meta.id);
  await postgres.kill();
  rollout.append(turnLines("t2", "two", "in the meantime"));
  let isStored = false;
  const stored = first.store.stored(meta.id)?.then(() => {
    isStored = true;
  });
  rollout.append(turnLines("t3", "three", "and more"));
  assert.equal(isStored, false);
  await postgres.start();
  await stored;
  await first.store.stored(meta.id);
  const read = () => saidIn(second.store, meta.id).catch(() => undefined);
  assert.deepEqual(await eventually(read), ["ok", "in the meantime", "and more"]);
});

test("archived and deleted threads are so everywhere, and names too", { skip }, async () => {
  const url = await postgres.createDatabase();
  await using first = await node(url);
  await using second = await node(url);
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = storeThread(first.store, "one", meta);
  rollout.append([event({ kind: "name", name: "The name" })]);
  await first.store.release(meta.id);
  assert.equal((await second.store.read(meta.id))?.name, "The name");
  assert.equal(await second.store.archive(meta.id), true);
  assert.equal(await second.store.archive(meta.id), false);
  assert.equal((await first.store.summary(meta.id))?.archived, true);
  assert.deepEqual((await first.store.list(everything)).threads, []);
  const path = (await second.store.summary(meta.id))?.path ?? "";
  assert.equal(existsSync(path), true);
  assert.equal(await second.store.delete(meta.id), true);
  assert.equal(existsSync(path), false);
  assert.equal(await first.store.read(meta.id), undefined);
  assert.equal(await first.store.open(meta.id), undefined);
});

test("a database of a later version is left alone", { skip }, async () => {
  const url = await postgres.createDatabase();
  await using first = await node(url);
  await first.store.list(everything);
  await run(url, "UPDATE quire_schema SET version = 1000");
  await using second = await node(url);
  await assert.rejects(second.store.list(everything), /version 1000 .* update Quire/);
});

/** As if all servers had been silent for longer than their leases. */
const expire = (url: string): Promise<void> => run(url, "UPDATE nodes SET lease_until = now() - interval '1 second'");

async function run(url: string, statement: string): Promise<void> {
  const sql = new Bun.SQL(url, { max: 1 });
  await sql.unsafe(statement);
  await sql.end();
}
