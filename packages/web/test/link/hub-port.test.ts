import assert from "node:assert/strict";
import { test } from "node:test";
import { ConnectionError, RpcError } from "@quire/client";
import { HubPort } from "../../src/link/hub-port.ts";

function aPort(up = true) {
  const sent: Record<string, unknown>[] = [];
  const heard: unknown[] = [];
  const port = new HubPort({
    send: (message) => {
      if (up) sent.push(message as Record<string, unknown>);
      return up;
    },
    version: () => "0.118.0",
    events: {
      notification: (method, params) => heard.push([method, params]),
      request: (id, method) => heard.push([id, method]),
    },
  });
  return { port, sent, heard };
}

test("replies find the call they belong to, in whatever order they come", async () => {
  const { port, sent } = aPort();
  const first = port.request("thread/loaded/list", {});
  const second = port.request("model/list", {});
  assert.deepEqual(
    sent.map(({ id, method }) => [id, method]),
    [
      [0, "thread/loaded/list"],
      [1, "model/list"],
    ],
  );
  port.receive({ id: 1, result: { data: [] } });
  port.receive({ id: 0, result: { data: ["t"] } });
  port.receive({ id: 0, result: "again" });
  assert.deepEqual(await first, { data: ["t"] });
  assert.deepEqual(await second, { data: [] });
});

test("a method that the server lacks is explained by its version", async () => {
  const { port } = aPort();
  const call = port.request("thread/turns/list", { threadId: "t" });
  port.receive({ id: 0, error: { code: -32601, message: "nope" } });
  await assert.rejects(call, (error) => RpcError.is(error) && /needs Codex 0\.122\.0/.test(error.message));
});

test("no call waits for a link that is gone", async () => {
  const { port } = aPort();
  const waiting = port.request("model/list", {});
  port.interrupted("The server is not connected");
  await assert.rejects(waiting, (error) => ConnectionError.is(error) && error.code === "closed");
  await assert.rejects(aPort(false).port.request("model/list", {}), /link to Quire is down/);
});

test("a call can be given up", async () => {
  const { port } = aPort();
  const abort = new AbortController();
  const call = port.request("model/list", {}, { signal: abort.signal });
  abort.abort(new Error("enough"));
  await assert.rejects(call, /enough/);
  await assert.rejects(port.request("model/list", {}, { signal: abort.signal }), /enough/);
});

test("notifications reach those who listen to them and the page, requests the page alone", () => {
  const { port, heard, sent } = aPort();
  const seen: unknown[] = [];
  const stop = port.onNotification("skills/changed", (params: unknown) => seen.push(params));
  port.receive({ method: "skills/changed", params: 1 });
  stop();
  port.receive({ method: "skills/changed", params: 2 });
  port.receive({ id: "q1", method: "item/tool/call", params: {} });
  port.receive("nonsense");
  assert.deepEqual(seen, [1]);
  assert.deepEqual(heard, [
    ["skills/changed", 1],
    ["skills/changed", 2],
    ["q1", "item/tool/call"],
  ]);
  port.reply("q1", { result: 5 });
  assert.deepEqual(sent.at(-1), { id: "q1", result: 5 });
});
