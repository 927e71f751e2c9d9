import assert from "node:assert/strict";
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ThreadItem } from "@quire/protocol";
import { applyLine, newRecord, settle } from "../../src/record/fold.ts";
import { openStore } from "../../src/store/open-store.ts";
import { ThreadInUse } from "../../src/store/thread-store.ts";
import { event, metaOf, storeThread, testStore, turnLines } from "./support.ts";

const command = (status: "inProgress" | "completed"): ThreadItem => ({
  type: "commandExecution",
  id: "c",
  command: "sleep 9",
  commandActions: [],
  cwd: "/",
  status,
});

test("what was appended is read back as the loaded thread had it", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = it.store.create(meta);
  assert.equal(existsSync(join(it.home, "sessions")), false, "no file before the first append");
  const live = newRecord(meta, rollout.path);
  for (const turn of ["a", "b"]) {
    rollout.begin();
    for (const line of turnLines(turn, `say ${turn}`)) {
      rollout.append([line]);
      applyLine(live, line);
    }
    rollout.end();
  }
  const read = await it.store.read(meta.id);
  assert.ok(read);
  assert.deepEqual({ ...read, updatedAtMs: 0 }, { ...live, updatedAtMs: 0 });
  assert.match(
    rollout.path,
    /sessions\/\d{4}\/\d\d\/\d\d\/rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[0-9a-f-]{36}\.jsonl$/,
  );
});

test("a file's first line is its meta, even when the caller forgot it", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = it.store.create(meta);
  rollout.append(turnLines("a", "hi"));
  const first = JSON.parse(readFileSync(rollout.path, "utf8").split("\n")[0] ?? "");
  assert.equal(first.type, "session_meta");
  assert.equal(first.payload.id, meta.id);
});

test("a torn last line is skipped by readers and healed by the next writer", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const { path } = storeThread(it.store, "hi", meta);
  const whole = statSync(path).size;
  appendFileSync(path, '{"timestamp":"2026-01-01T00:00:00.000Z","type":"thread_ev');
  assert.equal((await it.store.read(meta.id))?.turns.length, 1);
  const opened = await it.store.open(meta.id);
  assert.equal(opened?.rollout.begin(), undefined);
  assert.equal(statSync(path).size, whole);
  opened?.rollout.append(turnLines("b", "again"));
  opened?.rollout.end();
  assert.equal((await it.store.read(meta.id))?.turns.length, 2);
});

test("a last line that lacks nothing but its newline is kept", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const { path } = storeThread(it.store, "hi", meta);
  const line = { timestamp: new Date().toISOString(), ...event({ kind: "git_info", gitInfo: { branch: "main" } }) };
  appendFileSync(path, JSON.stringify(line));
  const opened = await it.store.open(meta.id);
  opened?.rollout.append(turnLines("b", "again"));
  const read = await it.store.read(meta.id);
  assert.equal(read?.gitInfo?.branch, "main");
  assert.equal(read?.turns.length, 2);
});

test("a turn that nobody ended reads as interrupted, with its items as what became of them", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = it.store.create(meta);
  const turnId = "t";
  rollout.append([
    event({ kind: "turn_started", turnId, startedAtMs: Date.now(), rootTurnId: null }),
    event({ kind: "item_started", turnId, item: { type: "agentMessage", id: "m", text: "" } }),
    event({ kind: "item_started", turnId, item: command("inProgress") }),
    event({ kind: "item_started", turnId, item: { type: "agentMessage", id: "n", text: "half" } }),
    {
      type: "response_item",
      turnId,
      payload: { type: "function_call", call_id: "c", name: "exec_command", arguments: "{}" },
    },
  ]);
  const read = await it.store.read(meta.id);
  const turn = read?.turns[0];
  assert.equal(turn?.status, "interrupted");
  assert.equal(turn?.completedAt, null, "nobody saw its end");
  assert.deepEqual(
    turn?.items.map((item) => [item.id, "status" in item ? item.status : null]),
    [
      ["c", "failed"],
      ["n", null],
    ],
  );
  assert.deepEqual(read?.history.at(-1)?.item, { type: "function_call_output", call_id: "c", output: "aborted" });
});

test("reverting to before a compaction brings back what the model saw then", () => {
  const record = newRecord(metaOf("x"), null);
  for (const line of [...turnLines("a", "one"), ...turnLines("b", "two")]) applyLine(record, line);
  const summary = { type: "message", role: "user", content: [{ type: "input_text", text: "summary" }] } as const;
  applyLine(record, event({ kind: "turn_started", turnId: "c", startedAtMs: 0, rootTurnId: null }));
  const payload = { message: "summary", replacement_history: [{ ...summary, content: [...summary.content] }] };
  applyLine(record, { type: "compacted", payload, turnId: "c" });
  for (const line of turnLines("d", "three")) applyLine(record, line);
  assert.deepEqual(
    record.history.map((entry) => entry.turnId),
    ["c", "d", "d"],
  );
  applyLine(record, event({ kind: "reverted", beforeTurnId: "d" }));
  assert.deepEqual(
    record.history.map((entry) => entry.turnId),
    ["c"],
  );
  applyLine(record, event({ kind: "reverted", beforeTurnId: "b" }));
  assert.deepEqual(
    record.turns.map((turn) => turn.id),
    ["a"],
  );
  assert.deepEqual(
    record.history.map((entry) => entry.turnId),
    ["a", "a"],
  );
});

test("a command that outlives its turn ends in the turn that began it", () => {
  const record = newRecord(metaOf("x"), null);
  const [started, ...rest] = turnLines("a", "one");
  assert.ok(started);
  applyLine(record, started);
  applyLine(record, event({ kind: "item_started", turnId: "a", item: command("inProgress") }));
  for (const line of [...rest, ...turnLines("b", "two")]) applyLine(record, line);
  applyLine(record, event({ kind: "item_completed", turnId: "a", item: command("completed") }));
  settle(record);
  const commands = record.turns[0]?.items.filter((each) => each.id === "c");
  assert.deepEqual(commands, [command("completed")]);
});

test("files stay closed and locks free between turns, and begin nests", async () => {
  await using it = await testStore();
  const rollout = storeThread(it.store, "hi");
  assert.deepEqual(readdirSync(join(it.home, "locks")), []);
  rollout.begin();
  rollout.begin();
  rollout.end();
  assert.equal(readdirSync(join(it.home, "locks")).length, 1);
  rollout.end();
  assert.deepEqual(readdirSync(join(it.home, "locks")), []);
});

test("a thread that is being written cannot be written by another", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = storeThread(it.store, "hi", meta);
  const other = await openStore(it.home).open(meta.id);
  rollout.begin();
  assert.throws(() => other?.rollout.begin(), ThreadInUse);
  rollout.append(turnLines("b", "more"));
  rollout.end();
  const newer = other?.rollout.begin();
  assert.equal(newer?.turns.length, 2, "and is told what the first has written");
  other?.rollout.end();
  assert.equal(other?.rollout.begin(), undefined, "but only once");
  other?.rollout.end();
});

test("the lock of a process that is gone holds nobody up, not even when its pid is in use again", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = storeThread(it.store, "hi", meta);
  writeFileSync(join(it.home, "locks", `${meta.id}.${process.pid}.1.1`), "");
  writeFileSync(join(it.home, "locks", `${meta.id}.999999999.1.1`), "");
  rollout.begin();
  assert.equal(readdirSync(join(it.home, "locks")).length, 1);
  rollout.end();
});

test("archiving moves the file, finds it there, and a loaded thread can still be written", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = storeThread(it.store, "hi", meta);
  const before = rollout.path;
  assert.equal(await it.store.archive(meta.id), true);
  assert.equal(await it.store.archive(meta.id), false);
  assert.equal((await it.store.open(meta.id))?.archived, true);
  rollout.append(turnLines("b", "more"));
  assert.equal(rollout.path.includes("archived_sessions"), true);
  assert.equal(await it.store.unarchive(meta.id), true);
  assert.equal(await it.store.unarchive(meta.id), false);
  assert.equal(existsSync(before), true);
  assert.equal((await it.store.read(meta.id))?.turns.length, 2);
  assert.equal(await it.store.delete(meta.id), true);
  assert.equal(await it.store.delete(meta.id), false);
  assert.equal(await it.store.read(meta.id), undefined);
});

test("names are kept where Codex keeps them", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = storeThread(it.store, "hi", meta);
  rollout.append([event({ kind: "name", name: "mine" })]);
  const lines = readFileSync(join(it.home, "session_index.jsonl"), "utf8").trim().split("\n");
  assert.deepEqual(Object.keys(JSON.parse(lines[0] ?? "")), ["id", "thread_name", "updated_at"]);
  const theirs = { id: meta.id, thread_name: "theirs", updated_at: new Date().toISOString() };
  appendFileSync(join(it.home, "session_index.jsonl"), `${JSON.stringify(theirs)}\n`);
  assert.equal((await it.store.read(meta.id))?.name, "theirs");
});

test("a line of 64 MB is written and read", { timeout: 120_000 }, async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const text = "x".repeat(64_000_000);
  const payload = { type: "message" as const, role: "user", content: [{ type: "input_text" as const, text }] };
  storeThread(it.store, "hi", meta).append([{ type: "response_item", payload }]);
  const item = (await it.store.read(meta.id))?.history.at(-1)?.item;
  const part = item?.type === "message" ? item.content[0] : undefined;
  assert.equal(part?.type === "input_text" && part.text.length, text.length);
});

test("what is no rollout is refused with its path", async () => {
  await using it = await testStore();
  const path = join(it.home, "notes.jsonl");
  writeFileSync(path, "hello\n");
  await assert.rejects(it.store.openPath(path), /notes\.jsonl is no rollout/);
  await assert.rejects(it.store.openPath(it.home), /home/);
});

test("lines stay numbered without a gap when another server goes on, whichever program the last line is for", async () => {
  await using it = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const { path } = storeThread(it.store, "first", meta);
  const ordinals = () =>
    readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).ordinal);
  for (const torn of ["", '{"timestamp":"2026-01-01T00:00:00.000Z","ordinal":']) {
    appendFileSync(path, torn);
    const later = openStore(it.home);
    (await later.open(meta.id))?.rollout.append(turnLines(`after ${torn}`, "more"));
    await later.close();
    assert.deepEqual(
      ordinals(),
      ordinals().map((_, at) => at),
    );
  }
});
