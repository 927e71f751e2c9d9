import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, test } from "node:test";
import { eventually, random } from "@quire/testkit";
import { applyLine, newRecord } from "../../src/record/fold.ts";
import { openStore } from "../../src/store/open-store.ts";
import { BadCursor, type ThreadQuery, type ThreadStore } from "../../src/store/thread-store.ts";
import { event, everything, metaOf, settings, storeThread, testStore, turnLines } from "./support.ts";

const ids = async (store: ThreadStore, query: Partial<ThreadQuery> = {}) =>
  (await store.list({ ...everything, ...query })).threads.map((thread) => thread.id);

test("a list shows threads with what is known of them, the newest first", async () => {
  await using it = await testStore();
  const [older, newer] = [
    metaOf(Bun.randomUUIDv7(), { timestamp: "2026-01-01T10:00:00.000Z" }),
    metaOf(Bun.randomUUIDv7()),
  ];
  storeThread(it.store, "older words", older).append([event({ kind: "settings", settings })]);
  storeThread(it.store, "newer words", newer).append([event({ kind: "name", name: "Newer" })]);
  const { threads } = await it.store.list(everything);
  assert.deepEqual(
    threads.map((thread) => [thread.id, thread.preview, thread.name, thread.model, thread.source]),
    [
      [newer.id, "newer words", "Newer", null, "vscode"],
      [older.id, "older words", null, "mock-model", "vscode"],
    ],
  );
  assert.deepEqual(await it.store.summary(newer.id), threads[0]);
  assert.equal(await it.store.summary(Bun.randomUUIDv7()), undefined);
});

test("a thread is listed that a killed server began before many others without messages", async () => {
  await using it = await testStore();
  const name = event({ kind: "name", name: "silent" });
  const metas = Array.from({ length: 60 }, () => metaOf(Bun.randomUUIDv7()));
  const [oldest] = metas.map((meta) => {
    const rollout = it.store.create(meta);
    rollout.append([name]);
    return rollout;
  });
  assert.deepEqual(await ids(it.store), []);
  oldest?.append(turnLines("a", "now"));
  // The killed server's index never heard of it.
  const next = openStore(it.home);
  assert.deepEqual(await ids(next), [metas[0]?.id]);
  await next.close();
});

test("a thread is listed whose first message came after its last change, and before the index was written", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = it.store.create(meta);
  rollout.append([event({ kind: "settings", settings })]);
  it.store.changed(newRecord(meta, rollout.path));
  rollout.append(turnLines("a", "now"));
  assert.deepEqual(await ids(it.store), [meta.id]);
});

test("a thread in which nothing was said is not listed", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = it.store.create(meta);
  rollout.append([event({ kind: "name", name: "silent" })]);
  assert.deepEqual(await ids(it.store), []);
  rollout.append(turnLines("a", "now"));
  assert.deepEqual(await ids(it.store), [meta.id]);
});

describe("filters", () => {
  const cases: [string, Partial<ThreadQuery>, string[]][] = [
    ["by default what people did", {}, ["cli", "vscode"]],
    ["an empty list of kinds", { sourceKinds: [] }, ["cli", "vscode"]],
    ["one kind", { sourceKinds: ["exec"] }, ["exec"]],
    ["all sub-agents", { sourceKinds: ["subAgent"] }, ["child", "grandchild", "review"]],
    ["one sort of sub-agents", { sourceKinds: ["subAgentReview"] }, ["review"]],
    ["provider", { modelProviders: ["other"] }, ["cli"]],
    ["no provider means any", { modelProviders: [] }, ["cli", "vscode"]],
    ["originator", { originators: ["nobody"] }, []],
    ["folder", { cwds: ["/elsewhere/"] }, ["vscode"]],
    ["no folder means none", { cwds: [] }, []],
    ["preview", { searchTerm: "words of cli" }, ["cli"]],
    ["name", { searchTerm: "Given" }, ["vscode"]],
    ["case counts", { searchTerm: "given" }, []],
    ["no wildcards", { searchTerm: "%" }, []],
    ["children", { parentThreadId: "cli" }, ["child"]],
    ["descendants", { ancestorThreadId: "cli" }, ["child", "grandchild"]],
    ["exclusions", { excludedThreadIds: ["cli"] }, ["vscode"]],
    ["archive", { archived: true }, ["archived"]],
  ];
  const byName = new Map<string, string>();
  const id = (name: string) => byName.get(name) ?? byName.set(name, Bun.randomUUIDv7()).get(name) ?? "";

  for (const [name, query, expected] of cases) {
    test(name, async () => {
      await using it = await testStore();
      storeThread(it.store, "words of cli", metaOf(id("cli"), { model_provider: "other" }, { source: "cli" }));
      const named = storeThread(it.store, "words of vscode", metaOf(id("vscode"), { cwd: "/elsewhere" }));
      named.append([event({ kind: "name", name: "Given name" })]);
      storeThread(it.store, "x", metaOf(id("exec"), {}, { source: "exec" }));
      storeThread(it.store, "x", metaOf(id("review"), {}, { source: { subAgent: "review" } }));
      const spawned = (parent: string) => ({
        source: { subAgent: { thread_spawn: { depth: 1, parent_thread_id: id(parent) } } },
        parentThreadId: id(parent),
      });
      storeThread(it.store, "x", metaOf(id("child"), {}, spawned("cli")));
      storeThread(it.store, "x", metaOf(id("grandchild"), {}, spawned("child")));
      storeThread(it.store, "x", metaOf(id("archived")));
      await it.store.archive(id("archived"));
      const real = {
        ...query,
        ...(query.parentThreadId && { parentThreadId: id(query.parentThreadId) }),
        ...(query.ancestorThreadId && { ancestorThreadId: id(query.ancestorThreadId) }),
        ...(query.excludedThreadIds && { excludedThreadIds: query.excludedThreadIds.map(id) }),
      };
      assert.deepEqual((await ids(it.store, real)).sort(), expected.map(id).sort());
    });
  }
});

test("pages cover a list whole in both directions, however many threads share a time", async () => {
  await using it = await testStore();
  const { int } = random();
  const times = Array.from({ length: 40 }, () => new Date(1_760_000_000_000 + int(0, 3)).toISOString());
  for (const timestamp of times) storeThread(it.store, "x", metaOf(Bun.randomUUIDv7(), { timestamp }));
  for (const sortKey of ["created_at", "updated_at", "recency_at"] as const) {
    const all = await ids(it.store, { sortKey });
    assert.equal(new Set(all).size, 40);
    for (const sortDirection of ["desc", "asc"] as const) {
      const seen: string[] = [];
      let back = "";
      for (let cursor: string | null = null; ; ) {
        const page = await it.store.list({ ...everything, sortKey, sortDirection, limit: 7, cursor });
        seen.push(...page.threads.map((thread) => thread.id));
        back = page.backwardsCursor ?? "";
        if (page.nextCursor === null) break;
        cursor = page.nextCursor;
      }
      assert.deepEqual(seen, sortDirection === "desc" ? all : all.toReversed());
      const opposite = sortDirection === "desc" ? "asc" : "desc";
      const before = await it.store.list({ ...everything, sortKey, sortDirection: opposite, limit: 7, cursor: back });
      assert.deepEqual(
        before.threads.map((thread) => thread.id),
        seen.slice(28, 35).toReversed(),
        "the page before the last",
      );
    }
  }
});

test("a cursor that no page gave is refused", async () => {
  await using it = await testStore();
  for (const cursor of ["nonsense", "", "2026-01-01T00:00:00Z"]) {
    await assert.rejects(it.store.list({ ...everything, cursor }), BadCursor);
  }
});

describe("what others do to the files is seen", () => {
  test("a thread of another process, its next turn, its name, its end", async () => {
    await using it = await testStore();
    assert.deepEqual(await ids(it.store), []);
    const other = openStore(it.home);
    const meta = metaOf(Bun.randomUUIDv7());
    const rollout = storeThread(other, "first", meta);
    assert.deepEqual(await ids(it.store), [meta.id]);
    rollout.append([
      ...turnLines("b", "second"),
      event({ kind: "settings", settings }),
      event({ kind: "name", name: "N" }),
    ]);
    const [thread] = (await it.store.list(everything)).threads;
    assert.equal(thread?.model, "mock-model");
    assert.equal(thread?.name, "N");
    await other.archive(meta.id);
    assert.deepEqual(await ids(it.store), []);
    assert.deepEqual(await ids(it.store, { archived: true }), [meta.id]);
    await other.delete(meta.id);
    assert.deepEqual(await ids(it.store, { archived: true }), []);
    await other.close();
  });

  test("a turn that was appended while no server ran moves its thread up, be it on no page", async () => {
    await using it = await testStore();
    const metas = Array.from({ length: 5 }, () => metaOf(Bun.randomUUIDv7()));
    const rollouts = metas.map((meta) => storeThread(it.store, "x", meta));
    await it.store.list(everything);
    await it.store.close();
    await eventually(() => Date.now() > (Date.parse(metas[4]?.timestamp ?? "") || 0) + 5);
    rollouts[0]?.append(turnLines("late", "y"));
    const again = openStore(it.home);
    await eventually(async () => {
      const page = await again.list({ ...everything, sortKey: "updated_at", limit: 1 });
      return page.threads[0]?.id === metas[0]?.id;
    });
    await again.close();
  });

  test("a file that has no line yet when it is first seen", async () => {
    await using it = await testStore();
    const { path } = storeThread(it.store, "x");
    const [day, content] = [dirname(path), readFileSync(path, "utf8")];
    const id = Bun.randomUUIDv7();
    const young = join(day, `rollout-2026-01-01T00-00-00-${id}.jsonl`);
    writeFileSync(young, "");
    assert.equal((await ids(it.store)).length, 1);
    assert.equal((await ids(it.store)).length, 1);
    writeFileSync(young, content.replaceAll(basename(path).slice(28, 64), id));
    assert.equal((await ids(it.store)).length, 2);
  });

  test("folders that are moved away and back", async () => {
    await using it = await testStore();
    const { path } = storeThread(it.store, "x");
    assert.equal((await ids(it.store)).length, 1);
    const [day, aside] = [dirname(path), join(it.home, "aside")];
    renameSync(day, aside);
    assert.deepEqual(await ids(it.store), []);
    renameSync(aside, day);
    assert.equal((await ids(it.store)).length, 1);
  });
});

test("what a loaded thread tells is listed at once", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = storeThread(it.store, "x", meta);
  const record = newRecord(meta, rollout.path);
  for (const line of turnLines("a", "hello")) applyLine(record, line);
  it.store.changed(record);
  assert.deepEqual(
    (await it.store.list(everything)).threads.map((thread) => thread.preview),
    ["hello"],
  );
});

describe("the index can be thrown away", () => {
  const breakages: [string, (file: string) => void][] = [
    ["missing", (file) => rmSync(file)],
    ["garbage", (file) => writeFileSync(file, "this is no database, but long enough to look at".repeat(100))],
    ["empty", (file) => writeFileSync(file, "")],
    ["cut", (file) => writeFileSync(file, readFileSync(file).subarray(0, 5000))],
    [
      "a folder",
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
  ];
  for (const [name, damage] of breakages) {
    test(name, async () => {
      await using it = await testStore();
      for (let n = 0; n < 20; n++) storeThread(it.store, `thread ${n}`);
      const all = await it.store.list(everything);
      assert.equal(all.threads.length, 20);
      await it.store.close();
      const index = readdirSync(it.home).filter((file) => file.startsWith("quire-index"));
      for (const extra of index.filter((file) => file !== "quire-index.sqlite")) rmSync(join(it.home, extra));
      damage(join(it.home, "quire-index.sqlite"));
      const again = openStore(it.home);
      assert.deepEqual(await again.list(everything), all);
      await again.close();
    });
  }

  test("broken while it is open", async () => {
    await using it = await testStore();
    for (let n = 0; n < 20; n++) storeThread(it.store, `thread ${n}`);
    const all = await it.store.list(everything);
    const file = join(it.home, "quire-index.sqlite");
    writeFileSync(file, Buffer.alloc(200_000, 7));
    writeFileSync(`${file}-wal`, "");
    assert.deepEqual(await it.store.list(everything), all);
  });
});

test("what does not belong into the folders does not spoil a list", async () => {
  await using it = await testStore();
  const { path } = storeThread(it.store, "good");
  const day = dirname(path);
  const name = () => join(day, `rollout-2026-01-01T00-00-00-${Bun.randomUUIDv7()}.jsonl`);
  mkdirSync(name());
  writeFileSync(name(), "");
  writeFileSync(name(), "no JSON\n".repeat(10));
  writeFileSync(name(), '{"type":"session_meta","payload":null}\n');
  writeFileSync(name(), Buffer.from([0xff, 0xfe, 0, 10, 0x7b, 10]));
  writeFileSync(join(day, "rollout-.jsonl"), "{}");
  writeFileSync(join(it.home, "sessions", "2027"), "a file in the place of a year");
  mkdirSync(join(it.home, "sessions", "2028", "xx"), { recursive: true });
  assert.equal((await ids(it.store)).length, 1);
  appendFileSync(path, "garbage in the middle\n{}\n[]\n42\nnull\n");
  storeThread(it.store, "better");
  assert.equal((await ids(it.store)).length, 2);
});

test("a search finds names and words of users and agents, whatever their case", async () => {
  await using it = await testStore();
  const [first, second] = [metaOf(Bun.randomUUIDv7()), metaOf(Bun.randomUUIDv7())];
  const rollout = storeThread(it.store, "Where is the Needle?", first);
  storeThread(it.store, `${"x ".repeat(100)}in the\nhaystack ${"y ".repeat(100)}`, second);
  const search = async (term: string, cursor: string | null = null, limit = 10) =>
    it.store.search({
      term,
      cursor,
      limit,
      archived: false,
      sortKey: "created_at",
      sortDirection: "desc",
      sourceKinds: null,
    });
  const found = async (term: string) => (await search(term)).results.map((result) => result.thread.id);
  assert.deepEqual(await found("needle"), [first.id]);
  assert.deepEqual(await found("session_meta"), [], "and nothing of how it is stored");
  assert.match((await search("HAYSTACK")).results[0]?.snippet ?? "", /^\.\.\. (x )+in the haystack (y )+\.\.\.$/);
  rollout.append([...turnLines("b", "more", "the answer is 42"), event({ kind: "name", name: "Pin" })]);
  assert.deepEqual(await found("ANSWER is"), [first.id]);
  assert.deepEqual(await found("pin"), [first.id]);
  const page = await search("the", null, 1);
  const rest = await search("the", page.nextCursor, 1);
  assert.deepEqual(
    [page, rest].map(({ results }) => results[0]?.thread.id),
    [second.id, first.id],
  );
  assert.equal(rest.nextCursor, null);
});

test("many threads are searched page by page, none twice and none left out, the first time and again", async () => {
  await using it = await testStore();
  const all = Array.from({ length: 130 }, (_, n) => {
    // Several have the same time.
    const meta = metaOf(Bun.randomUUIDv7(), { timestamp: new Date(Date.UTC(2026, 0, 1, 10, n >> 2)).toISOString() });
    storeThread(it.store, n % 3 === 0 ? "wanted" : "other", meta);
    return { id: meta.id, isWanted: n % 3 === 0, isArchived: n % 5 === 0 };
  });
  for (const { id, isArchived } of all) if (isArchived) await it.store.archive(id);
  for (const archived of [false, true, false, true]) {
    const wanted = all.filter((each) => each.isWanted && each.isArchived === archived).map(({ id }) => id);
    const query = { ...everything, archived, limit: 7, sortKey: "created_at" as const };
    const searched: string[] = [];
    const listed: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { results, nextCursor } = await it.store.search({ ...query, term: "WANTED", cursor: cursor ?? null });
      searched.push(...results.map(({ thread }) => thread.id));
      cursor = nextCursor;
    }
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { threads, nextCursor } = await it.store.list({ ...query, searchTerm: "wanted", cursor: cursor ?? null });
      listed.push(...threads.map(({ id }) => id));
      cursor = nextCursor;
    }
    assert.deepEqual(listed, searched);
    assert.equal(new Set(listed).size, listed.length);
    assert.deepEqual([...listed].sort(), [...wanted].sort());
  }
});
