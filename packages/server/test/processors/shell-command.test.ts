import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { CommandExecutionThreadItem, ThreadItem, Turn } from "@quire/protocol";
import { eventually, gate, type MockResponses, mockResponses, reply } from "@quire/testkit";
import type { TestClient } from "../support/test-client.ts";
import { type TestServer, testServer } from "../support/test-server.ts";

interface Watched {
  readonly client: TestClient;
  readonly threadId: string;
  readonly items: { readonly turnId: string; readonly item: ThreadItem }[];
  readonly turns: Turn[];
  run(command: string, timeoutMs?: number): Promise<unknown>;
  /** The n-th command that a user ran, once it has ended. */
  ended(index: number): Promise<CommandExecutionThreadItem & { readonly turnId: string }>;
}

async function watched(host: TestServer): Promise<Watched> {
  const { client } = host;
  const items: Watched["items"] = [];
  const turns: Turn[] = [];
  client.on("item/completed", (params) => void items.push(params as never));
  client.on("turn/completed", (params) => void turns.push((params as { turn: Turn }).turn));
  const { thread } = await client.request("thread/start", { cwd: host.home, sandbox: "read-only" });
  return {
    client,
    threadId: thread.id,
    items,
    turns,
    run: (command, timeoutMs) => client.request("thread/shellCommand", { threadId: thread.id, command, timeoutMs }),
    ended: (index) =>
      eventually(() => {
        const own = items.filter(({ item }) => item.type === "commandExecution" && item.source === "userShell")[index];
        return own && { ...(own.item as CommandExecutionThreadItem), turnId: own.turnId };
      }),
  };
}

const onMock = (mock: MockResponses) =>
  testServer({
    model: "offline",
    configOverrides: {
      model: "mock-model",
      model_provider: "mock",
      "model_providers.mock": { name: "mock", base_url: mock.url, wire_api: "responses" },
    },
  });

test("a user's own command runs in a turn of its own, outside of the sandbox, and the model hears of it", async () => {
  await using mock = await mockResponses();
  await using host = await onMock(mock);
  const { client, threadId, turns, run, ended } = await watched(host);
  await run("touch made; echo out; echo err >&2; exit 3");
  const item = await ended(0);
  assert.deepEqual([item.status, item.exitCode, item.processId], ["failed", 3, null]);
  assert.match(item.aggregatedOutput ?? "", /out\n/);
  assert.match(item.aggregatedOutput ?? "", /err\n/);
  assert.ok(existsSync(join(host.home, "made")));
  await eventually(() => turns[0]?.status === "completed" && turns[0].id === item.turnId);
  assert.equal(mock.requests.length, 0);

  await client.request("turn/start", { threadId, input: [{ type: "text", text: "so?" }] });
  await eventually(() => turns[1]);
  assert.match(
    mock.last.inputText("user"),
    /<user_shell_command>\n<command>\ntouch made;[\s\S]*Exit code: 3\n[\s\S]*out\n/,
  );
});

test("it ends with an interrupt or when its time is up, and says so", async () => {
  await using host = await testServer({ model: "offline" });
  const { client, threadId, turns, run, ended } = await watched(host);
  await run("touch begun; sleep 60");
  await eventually(() => existsSync(join(host.home, "begun")));
  await client.request("turn/interrupt", { threadId, turnId: "" });
  assert.match((await ended(0)).aggregatedOutput ?? "", /aborted by user/);
  await eventually(() => turns[0]?.status === "interrupted");

  await run("echo before; sleep 60", 50);
  const late = await ended(1);
  assert.equal(late.exitCode, 124);
  assert.match(late.aggregatedOutput ?? "", /timed out after 50 ms/);
  await assert.rejects(run("  "), /command must not be empty/);
});

test("within a turn it belongs to that turn, and the model goes on with what it said", async () => {
  await using mock = await mockResponses();
  await using host = await onMock(mock);
  const { client, threadId, turns, run, ended } = await watched(host);
  const hold = gate();
  mock.script(reply().text(["thinking", hold]), reply().text("I see."));
  const { turn } = await client.request("turn/start", { threadId, input: [{ type: "text", text: "go" }] });
  await mock.waitForRequest(0);
  await run("echo inside");
  assert.equal((await ended(0)).turnId, turn.id);
  hold.open();
  await eventually(() => turns.some(({ id }) => id === turn.id));
  assert.equal(turns.length, 1);
  assert.match(mock.last.inputText("user"), /<command>\necho inside\n<\/command>/);
});

test("who asks for something while it runs gets an answer after it", async () => {
  await using mock = await mockResponses();
  await using host = await onMock(mock);
  const { client, threadId, turns, run } = await watched(host);
  await run("touch begun; until [ -e done ]; do sleep 0.02; done; echo finished");
  await eventually(() => existsSync(join(host.home, "begun")));
  const { turn } = await client.request("turn/start", { threadId, input: [{ type: "text", text: "and?" }] });
  await client.request("thread/shellCommand", { threadId, command: "touch done" });
  await eventually(() => turns.some(({ id }) => id === turn.id));
  assert.match(mock.requests[0]?.inputText("user") ?? "", /finished[\s\S]*and\?/);
});
