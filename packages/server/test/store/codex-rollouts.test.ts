import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { ThreadItem, Turn } from "@quire/protocol";
import type { ThreadRecord } from "../../src/record/thread-record.ts";
import { openStore } from "../../src/store/open-store.ts";
import { summaryOf } from "../../src/store/summary-of.ts";
import type { ThreadStore } from "../../src/store/thread-store.ts";
import { everything, testStore, turnLines } from "./support.ts";

const fixtures = join(dirname(fileURLToPath(import.meta.url)), "fixtures");

/** Runs something on a home that the real Codex has filled; see `fixtures/record.ts`. */
async function withHome(
  version: string,
  name: string,
  run: (store: ThreadStore, home: string) => Promise<void>,
): Promise<void> {
  await using it = await testStore();
  cpSync(join(fixtures, `codex-${version}`, name), it.home, { recursive: true });
  const store = openStore(it.home);
  try {
    await run(store, it.home);
  } finally {
    await store.close();
  }
}

async function onlyThread(store: ThreadStore): Promise<ThreadRecord> {
  const { threads } = await store.list(everything);
  assert.equal(threads.length, 1);
  const record = await store.read(threads[0]?.id ?? "");
  assert.ok(record);
  return record;
}

const shown = (turn: Turn | undefined) => turn?.items.map(words);

function words(item: ThreadItem): string {
  switch (item.type) {
    case "userMessage":
      return `user: ${item.content.map((input) => (input.type === "text" ? input.text : input.type)).join()}`;
    case "agentMessage":
      return `agent: ${item.text}`;
    case "reasoning":
      return `reasoning: ${item.summary?.join()}`;
    case "commandExecution":
      return `command: ${item.command} ${item.status} ${item.exitCode} ${JSON.stringify(item.aggregatedOutput)}`;
    case "fileChange":
      return `files: ${item.status} ${item.changes.map((change) => `${change.kind.type} ${change.path} ${change.diff}`).join()}`;
    case "dynamicToolCall":
      return `tool: ${item.tool} ${JSON.stringify(item.arguments)} ${item.status} ${JSON.stringify(item.contentItems)}`;
    default:
      return item.type;
  }
}

/** What the model is sent, in short: kinds and the texts of messages. */
function history(record: ThreadRecord): string[] {
  return record.history.map(({ item }) => {
    if (item.type !== "message") return item.type;
    return `${item.role}: ${item.content.map((part) => ("text" in part ? part.text : part.type)).join()}`;
  });
}

for (const version of ["0.118.0", "0.166.0"]) {
  describe(`a rollout of Codex ${version}`, () => {
    test("shows messages, reasoning, commands, patches, tools and its name", () =>
      withHome(version, "work", async (store) => {
        const record = await onlyThread(store);
        assert.equal(record.name, "Recorded work");
        assert.equal(record.preview, "say hello");
        assert.equal(record.usage?.total.totalTokens, 770);
        assert.equal(record.settings?.model, "mock-model");
        assert.deepEqual(record.settings?.sandboxPolicy, { type: "dangerFullAccess" });
        assert.equal(record.meta.quire?.dynamicTools[0]?.name, "weather");
        assert.deepEqual(
          record.turns.map((turn) => turn.status),
          ["completed", "completed", "completed"],
        );
        assert.deepEqual(shown(record.turns[0]), [
          "user: say hello",
          "reasoning: **Looking around**",
          `command: /bin/bash -lc 'echo hello' completed 0 "hello\\n"`,
          `command: /bin/bash -lc 'cat nothing-here; exit 3' failed 3 "cat: nothing-here: No such file or directory\\n"`,
          "agent: It says hello.",
        ]);
        assert.deepEqual(shown(record.turns[1]), [
          "user: write a file",
          "files: completed add /home/recorder/workspace/made.txt made\n",
          "agent: Written.",
        ]);
        assert.deepEqual(shown(record.turns[2]), [
          "user: how warm is it?",
          `tool: weather {"city":"Bonn"} completed [{"type":"inputText","text":"42 degrees"}]`,
          "agent: 42 degrees.",
        ]);
      }));

    test("gives the model what was said, without what Codex had put before it", () =>
      withHome(version, "work", async (store) => {
        const record = await onlyThread(store);
        const warnings = /^user: Warning: …/;
        assert.deepEqual(
          history(record).filter((line) => !warnings.test(line)),
          [
            "user: say hello",
            "reasoning",
            "function_call",
            "function_call_output",
            "function_call",
            "function_call_output",
            "assistant: It says hello.",
            "user: write a file",
            "function_call",
            "function_call_output",
            "assistant: Written.",
            "user: how warm is it?",
            "function_call",
            "function_call_output",
            "assistant: 42 degrees.",
          ],
        );
        assert.equal(JSON.stringify(record.history).includes("internal_chat_message"), false);
      }));

    test("goes on from a compaction", () =>
      withHome(version, "compacted", async (store) => {
        const record = await onlyThread(store);
        assert.deepEqual(history(record), ["user: first", "user: second", "user: …", "user: third", "assistant: four"]);
        assert.deepEqual(
          record.turns.map((turn) => shown(turn)?.at(-1)),
          ["agent: one", "agent: two", "contextCompaction", "agent: four"],
        );
      }));

    test("leaves out what was reverted", () =>
      withHome(version, "reverted", async (store) => {
        const record = await onlyThread(store);
        assert.deepEqual(record.turns.map(shown), [
          ["user: first", "agent: one"],
          ["user: again", "agent: four"],
        ]);
        assert.deepEqual(history(record), ["user: first", "assistant: one", "user: again", "assistant: four"]);
      }));

    test("a fork has what came before it", () =>
      withHome(version, "forked", async (store) => {
        const { threads } = await store.list(everything);
        const fork = threads.find((thread) => thread.forkedFromId !== null);
        const record = await store.read(fork?.id ?? "");
        assert.equal(fork?.preview, record?.preview);
        assert.deepEqual(record?.turns.map(shown), [
          ["user: first", "agent: one"],
          ["user: second", "agent: two"],
        ]);
        assert.deepEqual(record && history(record), [
          "user: first",
          "assistant: one",
          "user: second",
          "assistant: two",
        ]);
        const original = await store.read(fork?.forkedFromId ?? "");
        assert.deepEqual(original?.turns.map(shown).at(-1), ["user: elsewhere", "agent: three"]);
      }));

    test("tells turns apart that were interrupted, failed or cut off", () =>
      withHome(version, "unfinished", async (store) => {
        const record = await onlyThread(store);
        // 0.118 writes nothing about why a turn failed.
        const failed = version === "0.118.0" ? "completed" : "failed";
        assert.deepEqual(
          record.turns.map((turn) => turn.status),
          ["interrupted", failed, "interrupted"],
        );
        assert.deepEqual(shown(record.turns[2]), [
          "user: kill me",
          "command: /bin/bash -lc 'sleep 60' failed null null",
        ]);
        assert.equal(history(record).at(-1), "function_call_output");
      }));

    test("can be gone on with, and is listed as it is read", () =>
      withHome(version, "reverted", async (store, home) => {
        const { record } = (await store.open((await onlyThread(store)).meta.id)) ?? {};
        const opened = await store.open(record?.meta.id ?? "");
        opened?.rollout.append(turnLines("ours", "from another server"));
        const read = await onlyThread(openStore(home));
        assert.deepEqual(shown(read.turns.at(-1)), ["user: from another server", "agent: ok"]);
        assert.equal(read.turns.length, 3);
        const { threads } = await store.list(everything);
        assert.equal(threads[0]?.updatedAtMs, read.updatedAtMs);
        assert.equal(threads[0]?.preview, read.preview);
      }));
  });
}

test("0.118 with extended history: each item once", () =>
  withHome("0.118.0", "extended", async (store) => {
    const record = await onlyThread(store);
    assert.deepEqual(shown(record.turns[0]), [
      "user: do both",
      `command: /bin/bash -lc 'echo hello; exit 3' failed 3 "hello\\n"`,
      "files: completed add /home/recorder/workspace/made.txt made\n",
      "agent: Done.",
    ]);
  }));

for (const version of readdirSync(fixtures).filter((name) => name.startsWith("codex-"))) {
  for (const name of readdirSync(join(fixtures, version))) {
    test(`${version} ${name}: the index, which looks at few lines, says what reading all of them says`, () =>
      withHome(version.slice("codex-".length), name, async (store) => {
        const { threads } = await store.list(everything);
        assert.ok(threads.length > 0);
        for (const thread of threads) {
          const record = await store.read(thread.id);
          assert.deepEqual(thread, record && summaryOf(record, thread.path, false));
        }
      }));
  }
}

test("a rollout that Codex has compressed is read and gone on with", () =>
  withHome("0.166.0", "work", async (store, home) => {
    const { path, meta } = await onlyThread(store);
    assert.ok(path);
    writeFileSync(`${path}.zst`, Bun.zstdCompressSync(readFileSync(path)));
    rmSync(path);
    const again = openStore(home);
    assert.equal((await onlyThread(again)).turns.length, 3);
    const opened = await again.open(meta.id);
    opened?.rollout.append(turnLines("ours", "go on"));
    assert.equal((await onlyThread(again)).turns.length, 4);
    assert.deepEqual([existsSync(path), existsSync(`${path}.zst`)], [true, false]);
    await again.close();
  }));

test("the fixtures hold nothing of what Codex tells its model", () => {
  const files = readdirSync(fixtures, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".jsonl"));
  assert.ok(files.length > 10);
  for (const file of files) {
    for (const line of readFileSync(join(fixtures, file), "utf8").trim().split("\n")) {
      JSON.parse(line, (_, value: unknown) => {
        assert.ok(typeof value !== "string" || value.length <= 400, `${file} holds a long text`);
        return value;
      });
    }
  }
});

test("a file that does not tell where turns begin has one for each message of the user", async () => {
  await using it = await testStore();
  const id = "019a0000-0000-7000-8000-000000000001";
  const folder = join(it.home, "sessions", "2026", "01", "01");
  mkdirSync(folder, { recursive: true });
  const lines = [
    ["session_meta", { id, timestamp: "2026-01-01T00:00:00Z", cwd: "/w", cli_version: "0.98.0", source: "vscode" }],
    ["event_msg", { type: "user_message", message: "one" }],
    ["event_msg", { type: "agent_message", message: "first" }],
    ["event_msg", { type: "user_message", message: "two" }],
    ["event_msg", { type: "turn_aborted", reason: "interrupted" }],
    ["event_msg", { type: "user_message", message: "three" }],
    ["event_msg", { type: "agent_message", message: "third" }],
    ["event_msg", { type: "task_started", turn_id: "told" }],
    ["event_msg", { type: "user_message", message: "four" }],
    ["event_msg", { type: "task_complete", turn_id: "told" }],
    ["event_msg", { type: "user_message", message: "five" }],
  ].map(([type, payload]) => `${JSON.stringify({ timestamp: "2026-01-01T00:00:00Z", type, payload })}\n`);
  writeFileSync(join(folder, `rollout-2026-01-01T00-00-00-${id}.jsonl`), lines.join(""));
  const record = await it.store.read(id);
  assert.deepEqual(
    record?.turns.map((turn) => [turn.id, turn.status, ...(shown(turn) ?? [])]),
    [
      ["rollout-1", "completed", "user: one", "agent: first"],
      ["rollout-3", "interrupted", "user: two"],
      ["rollout-5", "completed", "user: three", "agent: third"],
      ["told", "completed", "user: four"],
      ["rollout-10", "completed", "user: five"],
    ],
  );
});
