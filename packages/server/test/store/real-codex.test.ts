import { Database } from "bun:sqlite";
import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { codexVersion } from "@quire/protocol/version";
import { eventually, type MockResponses, mockResponses, realCodex, reply, skipWithoutCodex } from "@quire/testkit";
import { openStore } from "../../src/store/open-store.ts";
import type { ThreadStore } from "../../src/store/thread-store.ts";
import { testServer } from "../support/test-server.ts";
import { RpcClient } from "./fixtures/rpc-client.ts";
import { event, everything, metaOf, storeThread, turnLines } from "./support.ts";

const start = {
  clientInfo: { name: "test", title: "Test", version: "1.0.0" },
  capabilities: { experimentalApi: true },
};

/** Whether the model was sent all of these words in one request, be it not the last: Codex asks it on its own, too. */
function wasSent({ requests }: MockResponses, ...words: readonly string[]): boolean {
  const inputs = requests.map(({ body }) => JSON.stringify(body.input));
  return inputs.some((input) => words.every((word) => input.includes(word)));
}

/** Waits until so many turns are on the disk, to their ends: Codex tells of an end before it has written it. */
async function written(store: ThreadStore, threadId: string, turns: number): Promise<void> {
  await eventually(
    async () => {
      const record = await store.read(threadId);
      return record?.turns.length === turns && record.turns.at(-1)?.status === "completed";
    },
    { timeoutMs: 30_000, what: `${turns} written turns` },
  );
}

for (const version of ["0.118.0", codexVersion]) {
  const skip = await skipWithoutCodex(version);

  test(`Codex ${version} lists our threads, and both go on with each other's`, { skip, timeout: 120_000 }, async () => {
    await using mock = await mockResponses();
    await using codex = await realCodex(version, { model: mock });
    const store = openStore(codex.home);
    const meta = metaOf(Bun.randomUUIDv7(), { cwd: codex.cwd });
    storeThread(store, "ours first", meta).append([event({ kind: "name", name: "Our name" })]);

    const client = new RpcClient(codex);
    await client.request("initialize", start);
    const { data } = (await client.request("thread/list", {})) as {
      data: { id: string; preview: string; name: string }[];
    };
    assert.deepEqual(
      data.map((thread) => [thread.id, thread.preview, thread.name]),
      [[meta.id, "ours first", "Our name"]],
    );
    await client.request("thread/resume", { threadId: meta.id });
    mock.script(reply().text("their answer"));
    await client.turn(meta.id, "theirs second");
    assert.ok(wasSent(mock, "ours first", "theirs second"));

    const { thread } = (await client.request("thread/start", {})) as { thread: { id: string } };
    await client.turn(thread.id, "theirs first");
    await written(store, meta.id, 2);
    await written(store, thread.id, 1);
    client.child.kill("SIGKILL");
    await once(client.child, "exit");
    (await store.open(thread.id))?.rollout.append(turnLines("ours", "ours second", "our answer"));

    const again = new RpcClient(codex);
    await again.request("initialize", start);
    await again.request("thread/resume", { threadId: thread.id });
    await again.turn(thread.id, "theirs third");
    await written(store, thread.id, 3);
    again.child.kill("SIGKILL");
    await once(again.child, "exit");
    assert.ok(wasSent(mock, "our answer", "theirs third"));

    const said = async (id: string) => {
      const items = (await store.read(id))?.turns.flatMap((turn) => turn.items) ?? [];
      return items
        .flatMap((item) => (item.type === "userMessage" ? item.content : []))
        .map((input) => "text" in input && input.text);
    };
    assert.deepEqual(await said(meta.id), ["ours first", "theirs second"]);
    assert.deepEqual(await said(thread.id), ["theirs first", "ours second", "theirs third"]);
    assert.equal((await store.list(everything)).threads.length, 2);
    await store.close();
  });
}

const newest = codexVersion;

test("Codex makes no memories of a thread of ours that says so", {
  skip: await skipWithoutCodex(newest),
  timeout: 120_000,
}, async () => {
  await using mock = await mockResponses();
  await using codex = await realCodex(newest, { model: mock });
  await using server = await testServer({ home: codex.home });
  const talk = server.client;
  const ids = [await talk.thread(), await talk.thread(), await talk.thread()];
  const [off = "", again = ""] = ids;
  for (const threadId of ids) await talk.turn(threadId);
  const before = (await talk.request("thread/read", { threadId: off })).thread.updatedAt;
  await talk.request("thread/memoryMode/set", { threadId: off, mode: "disabled" });
  await talk.request("thread/memoryMode/set", { threadId: again, mode: "disabled" });
  await talk.request("thread/memoryMode/set", { threadId: again, mode: "enabled" });
  assert.equal((await talk.request("thread/read", { threadId: off })).thread.updatedAt, before);

  const client = new RpcClient(codex);
  await client.request("initialize", start);
  await client.request("thread/list", {});
  const modes = () => {
    using database = new Database(join(codex.home, "state_5.sqlite"), { readonly: true });
    const rows = database.query<{ id: string; memory_mode: string }, []>("SELECT id, memory_mode FROM threads").all();
    return ids.map((id) => rows.find((row) => row.id === id)?.memory_mode);
  };
  // It takes in what it finds on its disk bit by bit.
  await eventually(() => {
    assert.deepEqual(modes(), ["disabled", "enabled", "enabled"]);
    return true;
  });
  await client.request("thread/resume", { threadId: off });
  await client.turn(off, "theirs");
  client.child.kill("SIGKILL");
  await once(client.child, "exit");
  assert.ok(wasSent(mock, "theirs"));
});
