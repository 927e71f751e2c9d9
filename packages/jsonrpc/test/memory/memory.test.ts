import assert from "node:assert/strict";
import { describe } from "node:test";
import { highWaterMark, type Transport } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";
import { isPending, turn, until } from "../support/async.ts";
import { connectedPair, RawPeer } from "../support/peers.ts";
import { test } from "../support/test.ts";

/** What a transport delivers, one entry per event. */
function recorded(transport: Transport): string[] {
  const events: string[] = [];
  transport.start({
    message: (text) => void events.push(text),
    closed: (error) => void events.push(`closed ${error}`),
  });
  return events;
}

describe("the memory transport", () => {
  test("messages arrive in order, in both directions", async () => {
    const [left, right] = memoryPair();
    const atLeft = recorded(left);
    const atRight = recorded(right);
    const sent = Array.from({ length: 1000 }, (_, n) => String(n));
    for (const text of sent) {
      left.send(text);
      right.send(`-${text}`);
    }
    await until(() => atLeft.length === 1000 && atRight.length === 1000);
    assert.deepEqual(atRight, sent);
    assert.deepEqual(
      atLeft,
      sent.map((text) => `-${text}`),
    );
  });

  test("nothing arrives within the call that sent it, nor before the sender's own microtasks", async () => {
    const [left, right] = memoryPair();
    const events = recorded(right);
    left.send("a");
    assert.deepEqual(events, []);
    await Promise.resolve();
    assert.deepEqual(events, []);
    await until(() => events.length === 1);
  });

  test("timers get their turn while two sides keep each other busy", async () => {
    const { client, server } = connectedPair();
    let bounces = 0;
    let stop = false;
    server.on("ball", () => server.notify("ball"));
    client.on("ball", () => {
      bounces++;
      if (!stop) client.notify("ball");
    });
    client.notify("ball");
    await new Promise((resolve) => setTimeout(resolve, 1));
    await until(() => bounces > 0);
    stop = true;
    await client.close();
  });

  test("neither side can reach into the other's objects", async () => {
    const { client, server } = connectedPair();
    const params = { list: [1] };
    server.handle("change", (received) => {
      (received as typeof params).list.push(2);
      return received;
    });
    const pending = client.request("change", params);
    params.list.push(9);
    assert.deepEqual(await pending, { list: [1, 2] });
    assert.deepEqual(params, { list: [1, 9] });
    await client.close();
  });

  test("what was sent before either side started is not lost", async () => {
    const [left, right] = memoryPair();
    left.send("early");
    await turn();
    const events = recorded(right);
    await until(() => events.length === 1);
    assert.deepEqual(events, ["early"]);
  });

  test("closing ends the other side after what was sent before, and drops what is sent later", async () => {
    const [left, right] = memoryPair();
    const atLeft = recorded(left);
    const atRight = recorded(right);
    left.send("1");
    left.send("2");
    await left.close();
    left.send("3");
    right.send("to nobody");
    await until(() => atRight.length === 3);
    await left.close();
    await right.close();
    assert.deepEqual(atRight, ["1", "2", "closed undefined"]);
    assert.deepEqual(atLeft, ["closed undefined"]);
  });

  test("a paused side gets nothing, not even the end, until it resumes; then all of it in order", async () => {
    const [left, right] = memoryPair();
    const events = recorded(right);
    right.pause();
    left.send("1");
    left.send("2");
    await left.close();
    assert.equal(await isPending(until(() => events.length > 0)), true);
    right.resume();
    await until(() => events.length === 3);
    assert.deepEqual(events, ["1", "2", "closed undefined"]);
  });

  test("pausing within a delivery holds the very next message", async () => {
    const [left, right] = memoryPair();
    const events: string[] = [];
    right.start({
      message: (text) => {
        events.push(text);
        right.pause();
      },
      closed: () => void events.push("closed"),
    });
    const count = 200;
    for (let n = 0; n < count; n++) left.send(String(n));
    void left.close();
    for (let n = 0; n < count; n++) {
      await until(() => events.length === n + 1);
      await turn();
      assert.equal(events.length, n + 1);
      right.resume();
    }
    await until(() => events.length === count + 1);
    assert.deepEqual(events, [...Array.from({ length: count }, (_, n) => String(n)), "closed"]);
  });

  test("drain waits while much is unread and goes on once it is read", async () => {
    const [left, right] = memoryPair();
    recorded(left);
    right.pause();
    recorded(right);
    await left.drain();
    left.send("x".repeat(highWaterMark));
    assert.equal(left.buffered, highWaterMark);
    const drained = left.drain();
    assert.equal(await isPending(drained), true);
    right.resume();
    await drained;
    assert.equal(left.buffered, 0);
  });

  test("whoever waits for drain goes on when either side closes", async () => {
    for (const closer of [0, 1] as const) {
      const pair = memoryPair();
      const [left] = pair;
      new RawPeer(left);
      left.send("x".repeat(highWaterMark));
      const drained = left.drain();
      await pair[closer].close();
      await drained;
      await left.drain();
    }
  });
});
