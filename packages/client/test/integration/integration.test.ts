/** The integration tests that the client's specification names: never skipped, on every version. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CodexClient } from "@quire/client";
import { assertNoProcesses, reply } from "@quire/testkit";
import { onEachCodex, ownsServer, spawned } from "./support.ts";

await onEachCodex("integration", "0.98.0", (version) => {
  test("connect and list models", async () => {
    await using fixture = await spawned(version);
    const { data } = await fixture.client.listModels();
    assert.ok(data.length > 0);
    assert.equal(typeof data[0]?.displayName, "string");
    assert.equal(fixture.client.serverVersion, version);
    await fixture.client.disconnect();
    if (ownsServer) await assertNoProcesses({ tag: fixture.codex.tag });
  });

  test("start thread and run a simple turn", async () => {
    await using fixture = await spawned(version);
    const { mock, codex } = fixture;
    // As the specification has it: a client of its own, made with `new`, with all its defaults.
    const client = new CodexClient({
      command: [codex.command, ...codex.args],
      env: codex.env,
      cwd: codex.cwd,
      model: "mock-model",
    });
    await client.connect();
    const seen: string[] = [];
    client.on("item:agentMessage:delta", ({ text }) => seen.push(text));
    mock.script(
      reply().functionCall("exec_command", { cmd: "echo hello world" }, { callId: "call-1" }),
      reply().text("It said hello world.", { chunks: 4 }),
    );
    const thread = await client.startThread({ sandbox: "dangerFullAccess" });
    const { turn, items, agentMessage } = await client.runTurn({
      threadId: thread.id,
      input: [{ type: "text", text: "echo hello world" }],
    });
    assert.equal(turn.status, "completed");
    assert.equal(agentMessage, "It said hello world.");
    assert.equal(seen.join(""), agentMessage);
    const command = items.find((item) => item.type === "commandExecution");
    assert.equal(command?.exitCode, 0);
    assert.equal(command?.aggregatedOutput, "hello world\n");
    await client.disconnect();
  });
});
