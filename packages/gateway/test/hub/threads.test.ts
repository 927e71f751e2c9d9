import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eventually, gate } from "@quire/testkit";
import { type ScriptedGateway, scriptedGateway } from "../support/test-gateway.ts";
import { openPage } from "../support/test-page.ts";

const calls = (stage: ScriptedGateway, wanted: string) =>
  stage.server.received.filter(({ method }) => method === wanted).map(({ params }) => params);

describe("a thread that several pages have open", () => {
  test("stays subscribed until the last of them leaves it", async () => {
    await using stage = scriptedGateway();
    await using first = await openPage(stage.gateway);
    await using second = await openPage(stage.gateway);
    const { id } = await first.hub();
    stage.server.on("thread/unsubscribe", { status: "unsubscribed" });
    const { thread } = await first.result<{ thread: { id: string } }>(id, "thread/start");
    const params = { threadId: thread.id };
    await second.result(id, "thread/resume", params);
    assert.deepEqual(await first.result(id, "thread/unsubscribe", params), { status: "unsubscribed" });
    assert.deepEqual(calls(stage, "thread/unsubscribe"), []);
    assert.deepEqual(await second.result(id, "thread/unsubscribe", params), { status: "unsubscribed" });
    assert.deepEqual(calls(stage, "thread/unsubscribe"), [params]);
  });

  test("is let go a while after its pages are gone, but not while a turn runs or a question waits", async () => {
    await using stage = scriptedGateway({ lingerMs: 5 });
    await using other = await openPage(stage.gateway);
    const { id } = await other.hub();
    stage.server.on("thread/unsubscribe", { status: "unsubscribed" });
    const threads = ["idle", "busy", "asking", "shared"];
    for (const each of threads) stage.server.once("thread/fork", { thread: { id: each } });
    {
      await using page = await openPage(stage.gateway);
      for (const _ of threads) await page.result(id, "thread/fork");
      stage.server.on("thread/resume", { thread: { id: "shared" } });
      await other.result(id, "thread/resume");
      stage.server.notify("turn/started", { threadId: "busy", turn: { id: "u" } });
      stage.server.request("ask", { threadId: "asking", turnId: "v" }).catch(() => undefined);
      await page.hears(id, "ask");
    }
    await stage.server.waitFor("thread/unsubscribe");
    assert.deepEqual(calls(stage, "thread/unsubscribe"), [{ threadId: "idle" }]);
    stage.server.notify("turn/completed", { threadId: "busy", turn: { id: "u" } });
    await stage.server.waitFor("thread/unsubscribe", 1);
    stage.server.notify("turn/completed", { threadId: "asking", turn: { id: "v" } });
    await stage.server.waitFor("thread/unsubscribe", 2);
    assert.deepEqual(calls(stage, "thread/unsubscribe"), [
      { threadId: "idle" },
      { threadId: "busy" },
      { threadId: "asking" },
    ]);
  });

  test("is kept for a page that is loaded again", async () => {
    await using stage = scriptedGateway({ lingerMs: 3_600_000 });
    const page = await openPage(stage.gateway);
    const { id } = await page.hub();
    const { thread } = await page.result<{ thread: { id: string } }>(id, "thread/start");
    await page.close();
    await using again = await openPage(stage.gateway);
    await again.result(id, "thread/resume", { threadId: thread.id });
    assert.deepEqual(calls(stage, "thread/unsubscribe"), []);
  });

  test("that was started for a page which has gone meanwhile is let go too", async () => {
    await using stage = scriptedGateway({ lingerMs: 5 });
    const page = await openPage(stage.gateway);
    const { id } = await page.hub();
    const hold = gate();
    stage.server.on("thread/unsubscribe", { status: "unsubscribed" });
    stage.server.on("thread/start", async () => {
      await hold;
      return { thread: { id: "late" } };
    });
    page.rpc(id, { id: 0, method: "thread/start" });
    await stage.server.waitFor("thread/start");
    await page.close();
    hold.open();
    const { params } = await stage.server.waitFor("thread/unsubscribe");
    assert.deepEqual(params, { threadId: "late" });
  });
});

describe("what a page leaves running", () => {
  test("is ended when it goes: commands, processes, watches, searches", async () => {
    await using stage = scriptedGateway();
    const page = await openPage(stage.gateway);
    await using other = await openPage(stage.gateway);
    const { id } = await page.hub();
    const done = gate();
    stage.server.once("command/exec", async () => void (await done), {});
    for (const method of ["process/spawn", "fs/watch", "fuzzyFileSearch/sessionStart", "fs/unwatch"]) {
      stage.server.on(method, {});
    }
    const releases = ["command/exec/terminate", "process/kill", "fs/unwatch", "fuzzyFileSearch/sessionStop"];
    page.rpc(id, { id: "running", method: "command/exec", params: { processId: "p1", command: ["sh"] } });
    await page.call(id, "command/exec", { processId: "p2", command: ["true"] });
    await page.call(id, "process/spawn", { processHandle: "h1", command: ["sh"] });
    await page.call(id, "fs/watch", { watchId: "w1", path: "/" });
    await page.call(id, "fs/watch", { watchId: "w2", path: "/" });
    await page.call(id, "fs/unwatch", { watchId: "w2" });
    await page.call(id, "fuzzyFileSearch/sessionStart", { sessionId: "s1", roots: [] });
    await other.call(id, "fs/watch", { watchId: "w3", path: "/" });
    const before = stage.server.received.length;
    await page.close();
    await eventually(() => stage.server.received.length >= before + releases.length);
    await other.call(id, "thread/start");
    assert.deepEqual(
      stage.server.received.slice(before, -1).map(({ method, params }) => [method, params]),
      [
        ["command/exec/terminate", { processId: "p1" }],
        ["process/kill", { processHandle: "h1" }],
        ["fs/unwatch", { watchId: "w1" }],
        ["fuzzyFileSearch/sessionStop", { sessionId: "s1" }],
      ],
    );
  });
});
