/** Files that lie among the rollouts and are none, or hold what no rollout should: they cost nobody the other threads. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { RpcError } from "@quire/jsonrpc";
import { reply } from "@quire/testkit";
import { testHome } from "../support/test-server.ts";

const at = "2026-11-18T00:00:00.000Z";
const idOf = (number: number): string => `01a1e1d6-0000-7000-8000-${String(number).padStart(12, "0")}`;
const line = (type: string, payload: unknown, more: object = {}): string =>
  `${JSON.stringify({ timestamp: at, type, payload, ...more })}\n`;
const meta = (id: unknown, more: object = {}): string =>
  line("session_meta", { id, timestamp: at, cwd: "/w", source: "cli", model_provider: "mock", ...more });
const said = (message: string): string => line("event_msg", { type: "user_message", message });

/** Each holds a thread in which something was said, and something strange besides. */
const readable: Readonly<Record<string, (id: string) => string | Buffer>> = {
  "bytes that are no text": (id) =>
    Buffer.concat([Buffer.from(meta(id)), Buffer.from([0xff, 0, 0x0a]), Buffer.from(said("x"))]),
  "an end of zeros": (id) => `${meta(id)}${said("x")}${"\0".repeat(5000)}`,
  "a source that is a number": (id) => meta(id, { source: 5 }) + said("x"),
  "a part of ours that is empty": (id) => meta(id, { quire: {} }) + said("x"),
  "an event of nothing": (id) => meta(id) + said("x") + line("thread_event", null),
  "an item of nothing": (id) =>
    meta(id) + said("x") + line("thread_event", { kind: "item_started", turnId: "t", item: null }),
  "an entry of nothing": (id) => meta(id) + line("response_item", null, { turnId: "t" }) + said("x"),
  "a compaction to a number": (id) => meta(id) + said("x") + line("compacted", { replacement_history: 5 }),
};

/** None of these is a thread that could be listed. */
const unreadable: Readonly<Record<string, (path: string, id: string) => void>> = {
  "an empty file": (path) => writeFileSync(path, ""),
  "no first line": (path) => writeFileSync(path, said("x")),
  "an id that is none": (path) => writeFileSync(path, meta("../../x") + said("x")),
  "a folder": (path) => mkdirSync(path),
  "a link to itself": (path) => symlinkSync(path, path),
  "a pipe": (path) => assert.equal(spawnSync("mkfifo", [path]).status, 0),
};

test("threads are listed, searched and read whatever else lies among their files", { timeout: 60_000 }, async () => {
  await using home = await testHome();
  home.model.fallback(() => reply().text("ok"));
  const folder = join(home.home, "sessions", "2026", "11", "18");
  mkdirSync(folder, { recursive: true });
  symlinkSync(folder, join(folder, "30"));
  const pathOf = (id: string) => join(folder, `rollout-2026-11-18T00-00-00-${id}.jsonl`);
  const names = [...Object.keys(readable), ...Object.keys(unreadable)];
  const ids = new Map(names.map((name, index) => [name, idOf(index + 1)]));
  const id = (name: string) => ids.get(name) ?? "";
  for (const [name, make] of Object.entries(readable)) writeFileSync(pathOf(id(name)), make(id(name)));
  for (const [name, put] of Object.entries(unreadable)) put(pathOf(id(name)), id(name));
  const settings = line("thread_event", { kind: "settings", settings: { cwd: {} } });
  writeFileSync(pathOf(idOf(99)), meta(idOf(99)) + said("x") + settings);

  const { client } = await home.open();
  const { data } = await client.request("thread/list", { sourceKinds: ["cli", "unknown"] });
  const listed = new Set(data.map((thread: { id: string }) => thread.id));
  for (const name of names) assert.equal(listed.has(id(name)), name in readable, name);
  assert.equal(
    (await client.request("thread/search", { searchTerm: "x", sourceKinds: ["cli"] })).data.length > 0,
    true,
  );
  for (const name of Object.keys(readable)) {
    const { thread } = await client.request("thread/read", { threadId: id(name), includeTurns: true });
    assert.equal(thread.preview, "x", name);
    await client.request("thread/resume", { threadId: id(name) });
  }
  for (const name of Object.keys(unreadable)) {
    for (const method of ["thread/read", "thread/resume", "thread/fork"]) {
      const refusal = (error: unknown) =>
        error instanceof RpcError && error.code === -32603 && error.message.includes(pathOf(id(name)));
      await assert.rejects(client.request(method, { threadId: id(name) }), refusal, `${method} of ${name}`);
    }
  }
});
