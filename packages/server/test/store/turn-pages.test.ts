/** A part of a thread's turns, read without the others, is what reading all of them gives. */
import assert from "node:assert/strict";
import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import type { ThreadItem } from "@quire/protocol";
import { type Random, random } from "@quire/testkit";
import type { NewLine } from "../../src/record/rollout-line.ts";
import { readLastTurns } from "../../src/store/read-last-turns.ts";
import { readThread } from "../../src/store/read-thread.ts";
import { findTurns } from "../../src/store/read-turns.ts";
import { event, metaOf, settings, testStore, turnLines } from "./support.ts";

const threads = 100;

const below = (dice: Random, limit: number): number => dice.int(0, Math.max(0, limit - 1));

const command = (id: string, done: boolean): ThreadItem => ({
  type: "commandExecution",
  id,
  command: "sleep 1",
  cwd: "/work",
  processId: null,
  source: "agent",
  status: done ? "completed" : "inProgress",
  commandActions: [],
  aggregatedOutput: done ? "done" : null,
  exitCode: done ? 0 : null,
  durationMs: null,
});

/** The lines of a thread in which anything happens: turns that end or do not, late items, reverts, compactions. */
function randomThread(dice: Random): NewLine[] {
  const lines: NewLine[] = [];
  const turns: string[] = [];
  const open: { turnId: string; id: string }[] = [];
  const putCommand = (turnId: string, id: string, done: boolean) =>
    lines.push(event({ kind: done ? "item_completed" : "item_started", turnId, item: command(id, done) }));
  const endCommand = () => {
    const ended = open.splice(below(dice, open.length), 1)[0];
    if (ended) putCommand(ended.turnId, ended.id, true);
  };
  const acts: (() => unknown)[] = [
    // Some ids lead a reader by the nose who looks for words only.
    () => {
      const turnId = `${dice.pick(["turn", "ü", "turn_started", "a.b"])}-${lines.length}`;
      const made = turnLines(turnId, `"kind":"turn_started","turnId":"${turnId}"\n${below(dice, 99)}`);
      turns.push(turnId);
      // Cut short: interrupted by a crash, or its items still come.
      lines.push(...made.slice(0, dice.chance(0.3) ? 1 + below(dice, made.length) : made.length));
    },
    () => {
      const turnId = turns.at(dice.chance(0.7) ? -1 : below(dice, turns.length));
      if (turnId === undefined) return;
      const id = `command-${lines.length}`;
      putCommand(turnId, id, false);
      open.push({ turnId, id });
    },
    endCommand,
    () => {
      const turnId = turns.at(dice.chance(0.5) ? -1 : below(dice, turns.length)) ?? "none";
      lines.push(
        event({ kind: "turn_completed", turnId, status: "interrupted", error: null, completedAtMs: 1, durationMs: 1 }),
      );
    },
    () => {
      if (!dice.chance(0.3)) return;
      const beforeTurnId = turns[below(dice, turns.length + 1)] ?? "unknown";
      lines.push(event({ kind: "reverted", beforeTurnId }));
      if (turns.includes(beforeTurnId)) turns.splice(turns.indexOf(beforeTurnId));
    },
    () =>
      lines.push({ type: "compacted", turnId: turns.at(-1) ?? "", payload: { message: "", replacement_history: [] } }),
    () => lines.push(event({ kind: "settings", settings })),
    () => {
      const structuredContent = { type: "thread_event", payload: { kind: "turn_started", turnId: "no turn" } };
      const item = {
        type: "mcpToolCall",
        id: `m-${lines.length}`,
        server: "s",
        tool: "t",
        status: "completed",
      } as const;
      const arguments_ = { payload: structuredContent, text: '"}\n{"timestamp":"' };
      lines.push(
        event({ kind: "item_completed", turnId: turns.at(-1) ?? "", item: { ...item, arguments: arguments_ } }),
      );
    },
    () => lines.push({ type: "response_item", payload: { type: "message", role: "user", content: [] } }),
  ];
  for (let left = 5 + below(dice, 60); left > 0; left--) dice.pick(acts)();
  return lines;
}

/** The same as Codex writes it, with calls that are never answered, and items that come late. */
function randomCodexThread(dice: Random): string {
  const lines: string[] = [];
  const put = (type: string, payload: object) => {
    const timestamp = new Date(1_800_000_000_000 + lines.length * 1000).toISOString();
    lines.push(JSON.stringify({ timestamp, ordinal: lines.length, type, payload }));
  };
  const said = (type: string, more: object) => put("event_msg", { type, ...more });
  const turns: string[] = [];
  const anyTurn = () => turns.at(dice.chance(0.8) ? -1 : below(dice, turns.length)) ?? "none";
  const item = (turn_id: string, it: object) => said("item_completed", { thread_id: "thread", turn_id, item: it });
  const begin = () => {
    const turn_id = `turn-${lines.length}`;
    turns.push(turn_id);
    said("task_started", { turn_attribution: { turn_id: "other" }, turn_id });
    if (dice.chance(0.5)) put("turn_context", { turn_id, cwd: `/work/${lines.length}` });
    const content = [{ type: "text", text: '"type":"task_started"' }];
    if (turns.length === 1 || dice.chance(0.7))
      item(turn_id, { type: "UserMessage", id: `said-${lines.length}`, content });
  };
  const end = () =>
    said(dice.pick(["task_complete", "turn_aborted"]), {
      root_turn_id: "other",
      turn_id: dice.chance(0.97) ? turns.at(-1) : anyTurn(),
    });
  const call = (call_id: string) =>
    put("response_item", {
      type: "function_call",
      name: "exec_command",
      arguments: '{"cmd":"ls"}',
      call_id,
      ...(dice.chance(0.5) && { internal_chat_message_metadata_passthrough: { turn_id: anyTurn() } }),
    });
  const acts: (() => unknown)[] = [
    begin,
    end,
    () => {
      end();
      begin();
    },
    () => call(`call-${lines.length}`),
    () => put("response_item", { type: "function_call_output", call_id: `call-${lines.length - 1}`, output: "" }),
    () => put("response_item", { type: "message", role: "user", content: [] }),
    () => item(anyTurn(), { type: "AgentMessage", id: `m-${lines.length}`, content: [{ type: "Text", text: "ok" }] }),
    () => put("turn_context", { cwd: `/elsewhere/${lines.length}` }),
    () => put("compacted", { message: "short", replacement_history: [] }),
    () => said("error", { message: "bad" }),
    () => said("token_count", { info: null }),
    () => put("world_state", { full: true }),
  ];
  put("session_meta", { id: Bun.randomUUIDv7(), timestamp: "2026-01-01T00:00:00.000Z", cwd: "/work" });
  begin();
  for (let left = 5 + below(dice, 60); left > 0; left--) {
    // A call outside of a turn makes a reader read all.
    const isRunning = !/"(?:task_complete|turn_aborted)"/.test(
      lines.findLast((line) => /task_|_aborted/.test(line)) ?? "",
    );
    (isRunning || dice.chance(0.1) ? dice.pick(acts) : begin)();
  }
  return `${lines.join("\n")}\n`;
}

/** What a crash, a full disk or another program may leave in a file. */
function damage(path: string, dice: Random): void {
  const text = readFileSync(path, "utf8");
  const lines = text.split("\n");
  const cutAt = (at: number) => {
    const line = lines[at] ?? "";
    writeFileSync(path, lines.with(at, line.slice(0, below(dice, line.length))).join("\n"));
  };
  const anywhere = () => 1 + below(dice, lines.length - 1);
  const starts = [...lines.keys()].filter((at) => lines[at]?.includes('"payload":{"kind":"turn_started"'));
  const theirs = [
    '"task_started","turn_id":"theirs"',
    '"thread_rolled_back","num_turns":1',
    '"user_message","message":"x"',
  ];
  const kinds: (() => unknown)[] = [
    () => truncateSync(path, Buffer.byteLength(text) - 1),
    () => truncateSync(path, Buffer.byteLength(text) - 1 - below(dice, 200)),
    () => cutAt(anywhere()),
    () => cutAt(starts[below(dice, starts.length)] ?? 1),
    () => {
      const line = `{"timestamp":"2026-01-01T00:00:00.000Z","type":"event_msg","payload":{"type":${dice.pick(theirs)}}}`;
      writeFileSync(path, lines.toSpliced(anywhere(), 0, line).join("\n"));
    },
    () => appendFileSync(path, '{"timestamp":"2026-01-01T00:00:00.000Z","ordinal":9,"type":"thread_ev'),
    () => writeFileSync(path, lines.toSpliced(anywhere(), 0, '{"timestamp":', "", "[]", "null").join("\n")),
    () => writeFileSync(path, lines.toSpliced(anywhere(), 1).join("\n")),
  ];
  dice.pick(kinds)();
}

/** Compares parts of a thread's turns with all of them. Gives false when all of them had to be read. */
async function checkParts(home: string, path: string, dice: Random): Promise<boolean> {
  const all = readThread(home, path).record.turns;
  const found = await findTurns(home, path);
  if (!found) return false;
  assert.equal(found.count, all.length, path);
  for (let part = 0; part < 20; part++) {
    const from = below(dice, all.length + 1);
    const to = from + below(dice, all.length + 1 - from);
    assert.deepEqual(await found.read(from, to), all.slice(from, to), `${path} ${from} ${to}`);
  }
  for (const [at, { id }] of all.entries()) assert.equal(found.indexOf(id), at);
  assert.equal(found.indexOf("none"), -1);
  return true;
}

test("any part of a thread's turns is the same as of all of them", async () => {
  const dice = random();
  await using place = await testStore();
  let outlined = 0;
  for (let n = 0; n < threads; n++) {
    const meta = metaOf(Bun.randomUUIDv7());
    const rollout = place.store.create(meta);
    rollout.append([{ type: "session_meta", payload: meta }, ...randomThread(dice)]);
    if (dice.chance(0.5)) damage(rollout.path, dice);
    if (await checkParts(place.home, rollout.path, dice)) outlined++;
  }
  assert.ok(outlined > threads / 2, `${outlined} without reading all`);
});

test("the last turns are the same when a file is only read from its end", async () => {
  const dice = random();
  await using place = await testStore();
  let [read, cut] = [0, 0];
  for (let n = 0; n < threads; n++) {
    const meta = metaOf(Bun.randomUUIDv7());
    const rollout = place.store.create(meta);
    rollout.append([{ type: "session_meta", payload: meta }, ...randomThread(dice)]);
    if (dice.chance(0.5)) damage(rollout.path, dice);
    const all = readThread(place.home, rollout.path).record.turns;
    for (let part = 0; part < 10; part++) {
      const limit = 1 + below(dice, 4);
      const firstBytes = dice.int(100, 5000);
      const last = await readLastTurns(rollout.path, { home: place.home, limit, firstBytes });
      if (!last) cut++;
      else assert.deepEqual(last, all.slice(-limit), `${rollout.path} ${limit} ${firstBytes}`);
      if (last) read++;
      if (last) assert.ok(limit < all.length, "there are others before");
    }
  }
  assert.ok(read > threads / 4 && cut > 0, `${read} from the end, ${cut} not`);
});

test("so it is in a thread of Codex's", async () => {
  const dice = random();
  await using place = await testStore();
  let outlined = 0;
  for (let n = 0; n < threads; n++) {
    const path = join(place.home, `rollout-2026-01-01T00-00-00-${Bun.randomUUIDv7()}.jsonl`);
    writeFileSync(path, randomCodexThread(dice));
    if (dice.chance(0.3)) damage(path, dice);
    if (await checkParts(place.home, path, dice)) outlined++;
  }
  assert.ok(outlined > threads / 5, `${outlined} without reading all`);
});

test("so it is in all threads that the real Codex has written", async () => {
  const dice = random();
  const folder = join(import.meta.dirname, "fixtures");
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".jsonl"));
  const files = paths.filter((path) => basename(path).startsWith("rollout-"));
  const [first = "", ...others] = files.map((path) => join(folder, path));
  assert.ok(others.length > 8, `${files.length} files`);
  for (const path of [first, ...others]) await checkParts(path.slice(0, path.indexOf("/sessions/")), path, dice);
});

test("all turns are read once for who goes through them, and again when there are more", async () => {
  await using place = await testStore();
  const meta = metaOf(Bun.randomUUIDv7());
  const rollout = place.store.create(meta);
  rollout.append([{ type: "session_meta", payload: meta }, ...turnLines("one", "a"), ...turnLines("two", "b")]);
  const all = async () => (await place.store.turns(meta.id))?.all();
  assert.equal((await (await place.store.turns(meta.id))?.read(1, 2))?.[0]?.id, "two");
  const first = await all();
  assert.equal(await all(), first);
  rollout.append(turnLines("three", "c"));
  assert.deepEqual([first?.length, (await all())?.length], [2, 3]);
});
