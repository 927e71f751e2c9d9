import assert from "node:assert/strict";
import { test } from "node:test";
import { CodexClient, type Logger } from "@quire/client";
import { eventually, scriptedServer } from "@quire/testkit";

/** A logger that remembers its warnings. */
function remembering() {
  const lines: { message: string; details: unknown }[] = [];
  const logger: Logger = { warn: (message, details) => void lines.push({ message, details }) };
  return { lines, logger };
}

test("the logger hears of lines that are no messages", async () => {
  const { lines, logger } = remembering();
  await using server = scriptedServer();
  await using client = new CodexClient({ transport: server.transport, logger });
  await client.connect();
  server.sendRaw("Listening on stdout!");
  await eventually(() => lines.length === 1);
  assert.deepEqual(lines[0], { message: "A line that is no message was skipped", details: "Listening on stdout!" });
});

test("the logger hears of questions that nobody answers, and of messages that are left out", async () => {
  const { lines, logger } = remembering();
  await using server = scriptedServer();
  await using client = new CodexClient({ transport: server.transport, logger });
  await client.connect();
  server.turn({ items: [{ type: "command", command: "ls", approval: true }], text: "Declined." });
  const thread = await client.thread();
  await thread.run("Go");
  assert.equal(lines.length, 1);
  assert.match(lines[0]?.message ?? "", /onApproval/);
  server.notify("item/completed", { threadId: thread.id, turnId: "t", item: null as never });
  await eventually(() => lines.length === 2);
  assert.match(lines[1]?.message ?? "", /item\/completed is not shaped as it should be/);
});

test("the logger hears of a lost connection", async () => {
  const { lines, logger } = remembering();
  const servers = [scriptedServer(), scriptedServer()];
  let dialled = 0;
  const transport = () => {
    const server = servers[dialled++];
    assert.ok(server);
    return server.transport;
  };
  await using client = new CodexClient({ transport, logger, reconnect: { baseMs: 1 } });
  await client.connect();
  await servers[0]?.close();
  await eventually(() => client.state === "ready" && dialled === 2);
  assert.match(lines[0]?.message ?? "", /Connection lost/);
  await servers[1]?.close();
});

test("a logger that lacks methods, or throws, harms nothing", async () => {
  await using server = scriptedServer();
  const logger: Logger = {
    warn: () => {
      throw new Error("disk full");
    },
  };
  await using client = new CodexClient({ transport: server.transport, logger });
  await client.connect();
  server.sendRaw("junk");
  assert.equal((await (await client.thread()).run("Go")).agentMessage, "ok");
  await using second = scriptedServer();
  await using silent = new CodexClient({ transport: second.transport, logger: {} });
  await silent.connect();
  second.sendRaw("junk");
  assert.equal((await (await silent.thread()).run("Go")).agentMessage, "ok");
});
