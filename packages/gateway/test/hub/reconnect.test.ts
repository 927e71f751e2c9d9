import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RpcError } from "@quire/jsonrpc";
import { eventually, gate } from "@quire/testkit";
import { scriptedGateway, testGateway } from "../support/test-gateway.ts";
import { openPage } from "../support/test-page.ts";

describe("a hub that is lost", () => {
  test("says so, comes back under its id with a new epoch, and has what was open again", async () => {
    await using stage = scriptedGateway({}, (server, index) => {
      if (index > 0) server.on("thread/loaded/list", { data: ["another", "second"] });
      if (index > 0) server.on("thread/resume", ({ threadId }: { threadId: string }) => ({ thread: { id: threadId } }));
    });
    await using page = await openPage(stage.gateway);
    const { id, epoch } = await page.hub();
    const ids = ["first", "second"];
    stage.server.on("thread/start", () => ({ thread: { id: ids.shift() } }));
    await page.call(id, "thread/start");
    await page.call(id, "thread/start");

    await stage.server.close();
    const back = await page.hub((hub) => hub.state === "ready" && hub.epoch === epoch + 1);
    assert.equal(back.id, id);
    assert.equal(back.attempt, 0);
    assert.equal(back.error, null);
    assert.deepEqual(
      stage.server.received.map(({ method, params }) => [method, (params as { threadId?: string })?.threadId]),
      [
        ["initialize", undefined],
        ["initialized", undefined],
        ["thread/loaded/list", undefined],
        // What is loaded comes first: a turn may be running there.
        ["thread/resume", "second"],
        ["thread/resume", "first"],
      ],
    );
    const lost = page.history(id).find(({ state }) => state === "reconnecting");
    assert.equal(lost?.attempt, 1);
    assert.match(lost?.error ?? "", /closed/);
    assert.ok((await page.call(id, "thread/start")).result);
  });

  test("answers what waited for it, and says that it may have run", async () => {
    await using stage = scriptedGateway();
    await using page = await openPage(stage.gateway);
    const { id } = await page.hub();
    const never = gate();
    stage.server.on("turn/start", async () => void (await never));
    page.rpc(id, { id: 1, method: "turn/start" });
    await stage.server.waitFor("turn/start");
    await stage.server.close();
    const { error } = await page.reply(id, 1);
    assert.equal(error?.code, -32000);
    assert.deepEqual(error?.data, { mayHaveRun: true });
  });

  test("is tried ten times and no more, each shown; then again when a page asks for it", async () => {
    let isUp = true;
    await using stage = scriptedGateway({ reconnect: { baseMs: 1, maxMs: 4 } }, () => {
      if (!isUp) throw new Error("nobody there");
    });
    await using page = await openPage(stage.gateway);
    const { id, epoch } = await page.hub();
    isUp = false;
    await stage.server.close();
    const { error } = await page.hub(({ state }) => state === "disconnected");
    assert.match(error ?? "", /nobody there/);
    const attempts = page.history(id).filter(({ state }) => state === "reconnecting");
    assert.deepEqual(
      attempts.map(({ attempt }) => attempt),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
    isUp = true;
    page.send({ type: "reconnectHub", id });
    await page.hub((hub) => hub.state === "ready" && hub.epoch === epoch + 1);
  });

  test("does not wait when a page says now", async () => {
    let isUp = false;
    await using stage = scriptedGateway({ reconnect: { baseMs: 3_600_000, maxMs: 3_600_000 } }, () => {
      if (!isUp) throw new Error("not yet");
    });
    await using page = await openPage(stage.gateway);
    const { id } = await page.hub(({ state }) => state === "reconnecting");
    isUp = true;
    page.send({ type: "reconnectHub", id });
    await page.hub();
  });

  test("is tried less and less when it falls as soon as it stands", async () => {
    await using stage = scriptedGateway({ reconnect: { baseMs: 200, maxMs: 3_600_000 } }, (server) => {
      server.on("initialize", () => {
        setTimeout(() => void server.close(), 1);
        return { userAgent: "falls/1.0.0 (x)" };
      });
    });
    await using page = await openPage(stage.gateway);
    await eventually(() => page.hubs.some(({ attempt }) => attempt === 3), { timeoutMs: 20_000 });
  });

  test("of whose threads one is gone keeps the others", async () => {
    await using stage = scriptedGateway({}, (server, index) => {
      if (index === 0) return;
      server.on("thread/loaded/list", new RpcError({ code: -32601, message: "too old" }));
      server.on("thread/resume", ({ threadId }: { threadId: string }) => {
        if (threadId === "gone") throw new RpcError({ code: -32600, message: "no such thread" });
        return { thread: { id: threadId } };
      });
    });
    await using page = await openPage(stage.gateway);
    const { id, epoch } = await page.hub();
    const ids = ["gone", "here"];
    stage.server.on("thread/start", () => ({ thread: { id: ids.shift() } }));
    await page.call(id, "thread/start");
    await page.call(id, "thread/start");
    await stage.server.close();
    await page.hub((hub) => hub.state === "ready" && hub.epoch === epoch + 1);
    await stage.server.close();
    await page.hub((hub) => hub.state === "ready" && hub.epoch === epoch + 2);
    const resumed = stage.server.received.filter(({ method }) => method === "thread/resume");
    assert.deepEqual(
      resumed.map(({ params }) => (params as { threadId: string }).threadId),
      ["here"],
    );
  });
});

test("a gateway can be closed at any moment of a connection", async () => {
  const hold = gate();
  const dialling = testGateway({
    embedded: {
      dial: async () => {
        await hold;
        throw new Error("too late");
      },
    },
  });
  const closed = dialling.close();
  hold.open();
  await closed;
  const waiting = testGateway({
    embedded: {
      dial: () => {
        throw new Error("down");
      },
    },
    reconnect: { baseMs: 3_600_000 },
  });
  await eventually(() => waiting.hubs[0]?.state === "reconnecting");
  await waiting.close();
  const silent = scriptedGateway({}, (server) => server.on("initialize", () => new Promise(() => undefined)));
  await eventually(() => silent.servers.length === 1);
  await silent.server.waitFor("initialize");
  await silent.gateway.close();
  await silent.gateway.close();
});
