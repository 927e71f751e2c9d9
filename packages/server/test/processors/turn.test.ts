import assert from "node:assert/strict";
import { test } from "node:test";
import { gate, reply } from "@quire/testkit";
import { testServer, unattended } from "../support/test-server.ts";

test("a turn without input has the model go on: no empty message is shown or sent, and no answer is cut short for it", async () => {
  await using server = await testServer();
  const threadId = await server.client.thread({ ...unattended, cwd: server.home });
  const held = gate();
  server.model.script(reply().text("first"), reply().text(["sec", held, "ond"]));
  await server.client.turn(threadId);
  const users = () => server.model.last.body.input.filter(({ role }) => role === "user").length;
  const before = users();

  const begun = new Promise((resolve) => server.client.on("item/agentMessage/delta", resolve));
  const ended = new Promise((resolve) => server.client.on("turn/completed", resolve));
  await server.client.request("turn/start", { threadId, input: [] });
  await begun;
  await assert.rejects(server.client.request("turn/start", { threadId, input: [] }), /input must not be empty/);
  held.open();
  await ended;
  assert.equal(users(), before);
  const shown = server.client.items.map((item) => (item.type === "agentMessage" ? item.text : item.type));
  assert.deepEqual(shown, ["userMessage", "first", "second"]);
});

test("roots that are relative are refused, for nobody knows what they are relative to", async () => {
  await using server = await testServer();
  const threadId = await server.client.thread({ ...unattended, cwd: server.home });
  const input = [{ type: "text", text: "go", text_elements: [] }];
  const sandboxPolicy = { type: "workspaceWrite", writableRoots: ["/tmp", "etc"] };
  for (const override of [{ sandboxPolicy }, { runtimeWorkspaceRoots: ["etc"] }]) {
    await assert.rejects(
      server.client.request("turn/start", { threadId, input, ...override }),
      /"etc" is no absolute path/,
    );
  }
  await assert.rejects(
    server.client.thread({ ...unattended, cwd: server.home, runtimeWorkspaceRoots: ["etc"] }),
    /"etc" is no absolute path/,
  );
  assert.equal(server.model.requests.length, 0);
});
