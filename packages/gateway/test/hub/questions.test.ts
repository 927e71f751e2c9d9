import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eventually } from "@quire/testkit";
import { scriptedGateway } from "../support/test-gateway.ts";
import { openPage } from "../support/test-page.ts";

const method = "item/commandExecution/requestApproval";
const about = { threadId: "t1", turnId: "u1", itemId: "i1", command: "rm -rf /" };

describe("a server's question", () => {
  test("is shown to all pages under one id, answered once, and withdrawn everywhere", async () => {
    await using stage = scriptedGateway();
    await using first = await openPage(stage.gateway);
    await using second = await openPage(stage.gateway);
    const { id: hub } = await first.hub();
    const answered = stage.server.request(method, about);
    const shown = await first.hears(hub, method);
    assert.equal(typeof shown.id, "string");
    assert.deepEqual(await second.hears(hub, method), shown);
    assert.deepEqual(shown.params, about);

    second.rpc(hub, { id: shown.id, result: { decision: "accept" } });
    assert.deepEqual(await answered, { decision: "accept" });
    const told = { threadId: "t1", requestId: shown.id };
    assert.deepEqual((await first.hears(hub, "serverRequest/resolved")).params, {
      ...told,
      answeredBy: "page",
      answer: { result: { decision: "accept" } },
    });
    assert.deepEqual((await second.hears(hub, "serverRequest/resolved")).params, { ...told, answeredBy: "you" });
    // Too late: it reaches nobody, and is not said twice.
    first.rpc(hub, { id: shown.id, result: { decision: "decline" } });
    await first.call(hub, "thread/start");
    stage.server.notify("serverRequest/resolved", { threadId: "t1", requestId: 0 });
    stage.server.notify("after", {});
    await first.hears(hub, "after");
    assert.equal(first.heard(hub, "serverRequest/resolved").length, 1);
  });

  test("answered by two pages at once has one answer", async () => {
    await using stage = scriptedGateway();
    await using first = await openPage(stage.gateway);
    await using second = await openPage(stage.gateway);
    const { id: hub } = await first.hub();
    for (let round = 0; round < 20; round++) {
      const answered = stage.server.request(method, { ...about, round });
      const { id } = await first.hears(hub, method, round);
      await second.hears(hub, method, round);
      first.rpc(hub, { id, result: { by: "first" } });
      second.rpc(hub, { id, result: { by: "second" } });
      const { by } = (await answered) as { by: string };
      const [winner, loser] = by === "first" ? [first, second] : [second, first];
      const { params: won } = await winner.hears(hub, "serverRequest/resolved", round);
      const { params: lost } = await loser.hears(hub, "serverRequest/resolved", round);
      assert.equal(won?.answeredBy, "you");
      assert.deepEqual([lost?.answeredBy, lost?.answer], ["page", { result: { by } }]);
    }
    await first.call(hub, "thread/start");
    await second.call(hub, "thread/start");
    assert.equal(first.heard(hub, "serverRequest/resolved").length, 20);
    assert.equal(second.heard(hub, "serverRequest/resolved").length, 20);
  });

  test("is told other pages as answered, and nothing of what was typed", async () => {
    await using stage = scriptedGateway();
    await using first = await openPage(stage.gateway);
    await using second = await openPage(stage.gateway);
    const { id: hub } = await first.hub();
    const answered = stage.server.request("item/tool/requestUserInput", about);
    const { id } = await first.hears(hub, "item/tool/requestUserInput");
    first.rpc(hub, { id, result: { answers: { token: { answers: ["hunter2"] } } } });
    await answered;
    const { params } = await second.hears(hub, "serverRequest/resolved");
    assert.deepEqual(params, { threadId: "t1", requestId: id, answeredBy: "page" });
  });

  test("waits for a page, and is shown to whoever comes later, also after a reload", async () => {
    await using stage = scriptedGateway();
    await eventually(() => stage.gateway.hubs[0]?.state === "ready");
    const answers = [stage.server.request(method, about), stage.server.request("item/tool/requestUserInput", about)];
    {
      await using early = await openPage(stage.gateway);
      const { id: hub } = await early.hub();
      await early.hears(hub, method);
    }
    await using page = await openPage(stage.gateway);
    const { id: hub } = await page.hub();
    const [approval, input] = [await page.hears(hub, method), await page.hears(hub, "item/tool/requestUserInput")];
    assert.deepEqual(
      page.frames.map(({ type }) => type),
      ["welcome", "rpc", "rpc"],
    );
    page.rpc(hub, { id: input.id, error: { code: -32601, message: "cannot" } });
    page.rpc(hub, { id: approval.id, result: { decision: "decline" } });
    assert.deepEqual(await answers[0], { decision: "decline" });
    await assert.rejects(answers[1] ?? Promise.resolve(), { code: -32601, message: "cannot" });
    await using last = await openPage(stage.gateway);
    await last.call(hub, "thread/start");
    assert.equal(last.heard(hub, method).length, 0);
  });

  test("that the server withdraws is withdrawn under the id that pages know", async () => {
    await using stage = scriptedGateway();
    await using page = await openPage(stage.gateway);
    const { id: hub } = await page.hub();
    const withdrawn = stage.server.request(method, about).catch((error: Error) => error.message);
    const { id } = await page.hears(hub, method);
    stage.server.notify("serverRequest/resolved", { threadId: "t1", requestId: 0, extra: true });
    const { params } = await page.hears(hub, "serverRequest/resolved");
    assert.deepEqual(params, { threadId: "t1", requestId: id, extra: true });
    assert.match(String(await withdrawn), /withdrawn/);
    await using later = await openPage(stage.gateway);
    await later.call(hub, "thread/start");
    assert.equal(later.heard(hub, method).length, 0);
  });

  test("does not outlive its turn, nor its connection", async () => {
    await using stage = scriptedGateway();
    await using page = await openPage(stage.gateway);
    const { id: hub } = await page.hub();
    stage.server.request(method, about).catch(() => undefined);
    stage.server.request(method, { ...about, threadId: "t2" }).catch(() => undefined);
    const [first, second] = [await page.hears(hub, method), await page.hears(hub, method, 1)];
    stage.server.notify("turn/completed", { threadId: "t1", turn: { id: "u1", status: "completed" } });
    assert.deepEqual((await page.hears(hub, "serverRequest/resolved")).params, { threadId: "t1", requestId: first.id });
    await page.call(hub, "thread/start");
    assert.equal(page.heard(hub, "serverRequest/resolved").length, 1);
    await stage.server.close();
    const { params } = await page.hears(hub, "serverRequest/resolved", 1);
    assert.deepEqual(params, { threadId: "t2", requestId: second.id });
    // The next connection counts its requests from 0 again; they are other questions.
    await eventually(() => stage.servers.length === 2 && stage.gateway.hubs[0]?.state === "ready");
    const answered = stage.server.request(method, about);
    const third = await page.hears(hub, method, 2);
    assert.notEqual(third.id, first.id);
    page.rpc(hub, { id: third.id, result: { decision: "accept" } });
    assert.deepEqual(await answered, { decision: "accept" });
  });
});
