/** What a client is told that asks for too much, or at the wrong time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RpcError } from "@quire/jsonrpc";
import { gate, reply } from "@quire/testkit";
import { testServer, unattended } from "../support/test-server.ts";

for (const kind of ["review", "compact"] as const) {
  test(`a ${kind} turn takes no input, and says so: activeTurnNotSteerable`, async () => {
    await using server = await testServer();
    const threadId = await server.client.thread({ ...unattended, cwd: server.home });
    const held = gate();
    server.model.script(reply().text("hello"), reply().gate(held).text("later"));
    await server.client.turn(threadId);
    const started = new Promise<string>((resolve) => {
      server.client.on("turn/started", (params) => resolve((params as { turn: { id: string } }).turn.id));
    });
    if (kind === "review")
      await server.client.request("review/start", { threadId, target: { type: "custom", instructions: "look" } });
    else await server.client.request("thread/compact/start", { threadId });
    const turnId = await started;
    const input = [{ type: "text", text: "more" }];
    const steered = server.client.request("turn/steer", { threadId, expectedTurnId: turnId, input });
    const refused = (error: unknown) => {
      assert.ok(RpcError.is(error));
      assert.deepEqual((error.data as { codexErrorInfo: unknown }).codexErrorInfo, {
        activeTurnNotSteerable: { turnKind: kind },
      });
      return true;
    };
    await assert.rejects(steered, refused);
    await assert.rejects(server.client.request("turn/start", { threadId, input }), refused);
    held.open();
    await new Promise((resolve) => server.client.on("turn/completed", resolve));
  });
}

test("of 3,000 requests at once each gets one answer, late ones that the server is overloaded", async () => {
  await using server = await testServer({ model: "offline" });
  const { client } = server;
  const answers = await Promise.allSettled(
    Array.from({ length: 3000 }, () => client.request("thread/list", { limit: 1 })),
  );
  const codes = answers.map((each) => (each.status === "fulfilled" ? "ok" : (each.reason as RpcError).code));
  assert.equal(codes.length, 3000);
  assert.deepEqual(
    [...new Set(codes)].filter((code) => code !== "ok" && code !== -32001),
    [],
  );
  assert.ok(codes.filter((code) => code === "ok").length >= 1000);
});
