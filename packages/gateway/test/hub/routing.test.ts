import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RpcError, type Transport } from "@quire/jsonrpc";
import { eventually, gate, random } from "@quire/testkit";
import { rawServer } from "../support/raw-server.ts";
import { scriptedGateway, testGateway } from "../support/test-gateway.ts";
import { openPage, type Rpc } from "../support/test-page.ts";

/** A server that says something before and behind each reply. */
function chattyServer(said: Rpc[]): Transport {
  const { int } = random();
  let ticks = 0;
  return rawServer(({ id, params }, say) => {
    const note = (message: Rpc) => {
      said.push(message);
      say(message);
    };
    const tick = () => {
      for (let left = int(0, 2); left > 0; left--) note({ method: "tick", params: { at: ticks++ } });
    };
    tick();
    note({ id: id ?? null, result: params });
    tick();
  });
}

describe("a page speaks with a server as though it were alone", () => {
  test("each page gets the replies to its own requests, though both count from 0", async () => {
    await using stage = scriptedGateway();
    await using first = await openPage(stage.gateway);
    await using second = await openPage(stage.gateway);
    const { id } = await first.hub();
    stage.server.on("echo", (params: unknown) => params);
    for (let at = 0; at < 50; at++) {
      first.rpc(id, { id: at, method: "echo", params: { of: "first", at } });
      second.rpc(id, { id: at, method: "echo", params: { of: "second", at } });
    }
    for (let at = 0; at < 50; at++) {
      assert.deepEqual((await first.reply(id, at)).result, { of: "first", at });
      assert.deepEqual((await second.reply(id, at)).result, { of: "second", at });
    }
    assert.equal(first.messages(id).length, 50);
  });

  test("ids keep their type, errors their code and data", async () => {
    await using stage = scriptedGateway();
    await using page = await openPage(stage.gateway);
    const { id } = await page.hub();
    stage.server.on("fails", new RpcError({ code: -32011, message: "No", data: { why: "because" } }));
    page.rpc(id, { id: "7", method: "fails" });
    page.rpc(id, { jsonrpc: "2.0", id: 7, method: "fails" });
    const error = { code: -32011, message: "No", data: { why: "because" } };
    assert.deepEqual(await page.reply(id, "7"), { id: "7", error });
    assert.deepEqual(await page.reply(id, 7), { id: 7, error });
  });

  test("the server is initialized once, and every page learns what it said", async () => {
    await using stage = scriptedGateway();
    await using first = await openPage(stage.gateway);
    await using second = await openPage(stage.gateway);
    const { id, userAgent } = await first.hub();
    for (const page of [first, second]) {
      assert.equal((await page.result<{ userAgent: string }>(id, "initialize", {})).userAgent, userAgent);
      page.rpc(id, { method: "initialized" });
      await page.call(id, "thread/start");
    }
    const methods = stage.server.received.map(({ method }) => method);
    assert.deepEqual(methods, ["initialize", "initialized", "thread/start", "thread/start"]);
  });

  test("what the server says reaches the pages in its order, each reply at its place", async () => {
    const wire: Rpc[] = [];
    await using gateway = testGateway({ embedded: { dial: () => chattyServer(wire) } });
    await using first = await openPage(gateway);
    await using second = await openPage(gateway);
    const { id } = await first.hub();
    for (let at = 0; at < 200; at++) first.rpc(id, { id: at, method: "snapshot", params: { reply: at } });
    await first.reply(id, 199);
    const ticks = wire.filter(({ method }) => method === "tick");
    await eventually(() => [first, second].every((page) => page.heard(id, "tick").length === ticks.length));
    assert.ok(ticks.length > 0);
    const said = (messages: readonly Rpc[]) => messages.map(({ params, result }) => params ?? result);
    assert.deepEqual(said(first.messages(id)), said(wire));
    assert.deepEqual(said(second.messages(id)), said(ticks));
  });

  test("what is no message is answered as such and harms nobody", async () => {
    await using stage = scriptedGateway();
    await using page = await openPage(stage.gateway);
    const { id } = await page.hub();
    for (const message of [
      null,
      7,
      "text",
      [],
      [{ id: 1, method: "x" }],
      {},
      { id: {}, method: "x" },
      { id: 5, method: 6 },
    ]) {
      page.rpc(id, message);
    }
    page.rpc(id, { id: "nobody", result: {} });
    page.rpc(id, { id: 99, error: { code: "x" } });
    assert.equal((await page.reply(id, 5)).error?.code, -32600);
    assert.ok((await page.call(id, "thread/start")).result);
    assert.equal(page.messages(id).filter(({ error }) => error?.code === -32600).length, 7);
  });

  test("a server that is not there is an answer, and so is one that nobody knows", async () => {
    const hold = gate();
    await using stage = scriptedGateway({
      embedded: {
        dial: async () => {
          await hold;
          throw new Error("not today");
        },
      },
      reconnect: { attempts: 0 },
    });
    await using page = await openPage(stage.gateway);
    const { id } = await page.hub(({ state }) => state === "connecting");
    assert.deepEqual((await page.call(id, "thread/list")).error, { code: -32000, message: "embedded is connecting" });
    hold.open();
    await page.hub(({ state }) => state === "disconnected");
    const { error } = await page.call(id, "initialize");
    assert.equal(error?.code, -32000);
    assert.match(error?.message ?? "", /^embedded is disconnected: not today\. Restart quire/);
    assert.equal((await page.call("hnone", "thread/list")).error?.code, -32000);
  });

  test("a page that asks without end is told to wait, and the others are not", async () => {
    await using stage = scriptedGateway();
    await using greedy = await openPage(stage.gateway);
    await using other = await openPage(stage.gateway);
    const { id } = await greedy.hub();
    const hold = gate();
    stage.server.on("slow", async () => {
      await hold;
      return {};
    });
    for (let at = 0; at < 1001; at++) greedy.rpc(id, { id: at, method: "slow" });
    assert.equal((await greedy.reply(id, 1000)).error?.code, -32001);
    assert.ok((await other.call(id, "thread/start")).result);
    hold.open();
    assert.deepEqual((await greedy.reply(id, 999)).result, {});
    assert.ok((await greedy.call(id, "thread/start")).result);
  });
});
