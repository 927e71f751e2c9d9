import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "@quire/testkit";
import { embedded } from "../support/embedded.ts";
import { Talk } from "../support/talk.ts";

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A collector that keeps what it is sent. */
function collector(): {
  url: string;
  records: Record<string, unknown>[];
  keys: (string | null)[];
  stop: () => Promise<void>;
} {
  const records: Record<string, unknown>[] = [];
  const keys: (string | null)[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      keys.push(request.headers.get("x-key"));
      const { resourceLogs } = (await request.json()) as {
        resourceLogs: { scopeLogs: { logRecords: { attributes: Attribute[] }[] }[] }[];
      };
      for (const { attributes } of resourceLogs.flatMap((each) => each.scopeLogs).flatMap((each) => each.logRecords))
        records.push(Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])));
      return new Response("{}");
    },
  });
  return { url: `http://127.0.0.1:${server.port}/v1/logs`, records, keys, stop: () => server.stop(true) };
}

test("who watches a server hears of turns, tools and tokens, and of no prompt", async () => {
  const { url, records, keys, stop } = collector();
  const host = await embedded({
    configOverrides: { "otel.exporter": { "otlp-http": { endpoint: url, headers: { "x-key": "k" } } } },
  });
  const talk = new Talk(await host.connect(), ["turn/completed"]);
  const settings = { cwd: host.home, sandbox: "danger-full-access", approvalPolicy: "never" };
  const { thread } = await talk.call("thread/start", settings);
  const input = [{ type: "text", text: "run: echo hello", text_elements: [] }];
  // What watches is loaded beside the first thread, and nothing waits for it.
  await eventually(async () => {
    await talk.call("turn/start", { threadId: thread.id, input });
    await talk.told("turn/completed");
    talk.heard.length = 0;
    return true;
  });
  await talk.call("turn/start", { threadId: thread.id, input });
  await talk.told("turn/completed");
  await host[Symbol.asyncDispose]();
  const names = new Set(records.map((record) => record["event.name"]));
  assert.deepEqual(
    ["codex.conversation_starts", "codex.user_prompt", "codex.tool_result", "codex.turn_completed"].filter(
      (name) => !names.has(name),
    ),
    [],
  );
  assert.equal(JSON.stringify(records).includes("echo hello"), false);
  assert.equal(
    records.every((record) => record["conversation.id"] === thread.id),
    true,
  );
  assert.deepEqual([...new Set(keys)], ["k"]);
  await stop();
});

test("a collector that is not there holds nothing up", async () => {
  await using host = await embedded({
    configOverrides: { "otel.exporter": { "otlp-http": { endpoint: "http://127.0.0.1:1/" } } },
  });
  const talk = new Talk(await host.connect(), ["turn/completed"]);
  const { thread } = await talk.call("thread/start", { cwd: host.home });
  await talk.call("turn/start", { threadId: thread.id, input: [{ type: "text", text: "help", text_elements: [] }] });
  assert.equal((await talk.told("turn/completed")).turn.status, "completed");
});
