import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eventually, random } from "@quire/testkit";
import { scriptedGateway, testGateway } from "../support/test-gateway.ts";
import { openPage } from "../support/test-page.ts";

describe("a page that sends what is no frame", () => {
  test("is closed, and the others go on", async () => {
    await using stage = scriptedGateway();
    await using good = await openPage(stage.gateway);
    const { id } = await good.hub();
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    for (const data of [
      "",
      "hello",
      "null",
      "[]",
      "{}",
      '{"type":"rpc"}',
      '{"type":"rpc","hub":7,"message":{}}',
      '{"type":"addHub","address":{}}',
      '{"type":"__proto__"}',
      '{"type":"welcome","hubs":[]}',
      deep,
      new Uint8Array([1, 2, 3]),
    ]) {
      const bad = await openPage(stage.gateway);
      bad.sendRaw(data);
      assert.equal((await bad.closed).code, 4400, String(data).slice(0, 50));
    }
    assert.ok((await good.call(id, "thread/start")).result);
  });

  test("is closed for a frame that is too large, before it is read", async () => {
    await using stage = scriptedGateway();
    await using good = await openPage(stage.gateway);
    const bad = await openPage(stage.gateway);
    bad.sendRaw(`"${"x".repeat(33 * 1024 * 1024)}"`);
    await bad.closed;
    const { id } = await good.hub();
    assert.ok((await good.call(id, "thread/start")).result);
  });

  test("cannot bring the gateway down with any mixture of it", async () => {
    await using stage = scriptedGateway();
    await using good = await openPage(stage.gateway);
    const { id } = await good.hub();
    const { int, pick } = random();
    const values: readonly unknown[] = [
      null,
      0,
      -1,
      "",
      "x",
      [],
      {},
      { id: 0 },
      { id: 1, method: "x" },
      { method: "y" },
      true,
    ];
    for (let round = 0; round < 30; round++) {
      const bad = await openPage(stage.gateway);
      for (let count = int(1, 10); count > 0; count--) {
        bad.sendRaw(
          JSON.stringify({
            type: pick(["rpc", "rpc", "rpc", "reconnectHub", "removeHub", "addHub"]),
            hub: pick([id, id, "none", ...values]),
            id: pick([id, ...values]),
            address: pick(["ws://", "unix://x", ...values]),
            message: pick([
              ...values,
              { id: pick(values), method: pick(values), params: pick(values), result: pick(values) },
            ]),
          }),
        );
      }
      await bad.close();
    }
    assert.ok((await good.call(id, "thread/start")).result);
  });
});

test("no more pages are served than there may be, and one that goes makes room", async () => {
  await using gateway = testGateway({ maxPages: 2 });
  await using first = await openPage(gateway);
  const second = await openPage(gateway);
  const third = await fetch(`${gateway.origin}/socket`, { headers: { authorization: `Bearer ${gateway.token}` } });
  assert.equal(third.status, 503);
  assert.match(await third.text(), /2 pages are open already/);
  await second.close();
  await using fourth = await eventually(() => openPage(gateway));
  assert.equal(first.frames[0]?.type, fourth.frames[0]?.type);
});

test("what is no WebSocket is told so", async () => {
  await using gateway = testGateway();
  const answer = await fetch(`${gateway.origin}/socket`, { headers: { authorization: `Bearer ${gateway.token}` } });
  assert.equal(answer.status, 426);
});
