import assert from "node:assert/strict";
import { test } from "node:test";
import { gate, httpError, reply } from "@quire/testkit";
import { embedded } from "../support/embedded.ts";
import { scripted } from "../support/scripted.ts";

test("what the user may say next is told and not kept; of two questions the newer counts; a failure is told", async () => {
  await using home = await embedded();
  await using server = await scripted(home.home);
  const threadId = await server.thread({ cwd: home.home });
  const told: { readonly result: object }[] = [];
  server.rpc.on("thread/prediction/updated", (params) => void told.push(params as { result: object }));
  const next = async (count: number) => {
    while (told.length < count) await new Promise((resolve) => server.rpc.on("thread/prediction/updated", resolve));
    return told.slice(0, count).map(({ result }) => result);
  };
  const ask = (sourceTurnId: string) => server.rpc.request("thread/prediction/request", { threadId, sourceTurnId });
  server.model.script(reply().text("one"));
  const turn = await server.turn(threadId);
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
  await server.turn(threadId);
  assert.doesNotMatch(JSON.stringify(server.model.last?.body.input), /Now test it|most likely/);
});
