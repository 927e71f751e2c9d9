import assert from "node:assert/strict";
import { test } from "node:test";
import { gate, httpError, reply } from "@quire/testkit";
import { testServer, unattended } from "../support/test-server.ts";

test("what the user may say next is told and not kept; of two questions the newer counts; a failure is told", async () => {
  await using server = await testServer();
  const threadId = await server.client.thread({ ...unattended, cwd: server.home });
  const told: { readonly result: object }[] = [];
  server.client.on("thread/prediction/updated", (params) => void told.push(params as { result: object }));
  const next = async (count: number) => {
    while (told.length < count) await new Promise((resolve) => server.client.on("thread/prediction/updated", resolve));
    return told.slice(0, count).map(({ result }) => result);
  };
  const ask = (sourceTurnId: string) => server.client.request("thread/prediction/request", { threadId, sourceTurnId });
  server.model.script(reply().text("one"));
  const turn = await server.client.turn(threadId);
  await assert.rejects(ask("another"), /latest finished turn/);
  server.model.script(reply().text(" Now test it\n"));
  await ask(turn.id);
  assert.deepEqual(await next(1), [{ type: "completed", text: "Now test it" }]);
  const held = gate();
  server.model.script(reply().gate(held).text("never"), reply().text(""));
  await ask(turn.id);
  await server.model.waitForRequest(2);
  await ask(turn.id);
  assert.deepEqual((await next(3)).slice(1), [{ type: "failed" }, { type: "completed", text: null }]);
  held.open();
  server.model.script(httpError(400));
  await ask(turn.id);
  assert.deepEqual((await next(4)).at(-1), { type: "failed" });
  server.model.script(reply().text("two"));
  await server.client.turn(threadId);
  assert.doesNotMatch(JSON.stringify(server.model.last?.body.input), /Now test it|most likely/);
});
