import assert from "node:assert/strict";
import { describe } from "node:test";
import { Connection, ConnectionError, type Transport, tapTransport } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";
import { ManualTransport } from "../support/manual-transport.ts";
import { test } from "../support/test.ts";

describe("a tapped transport", () => {
  test("shows both directions, in the order of the wire, and passes all on", async () => {
    const [left, right] = memoryPair();
    const seen: string[] = [];
    const client = new Connection(tapTransport(left, (direction, text) => void seen.push(`${direction} ${text}`)));
    const server = new Connection(right);
    server.handle("echo", (params) => params);
    client.on("news", () => undefined);
    server.notify("news", { n: 1 });
    assert.deepEqual(await client.request("echo", { a: 1 }), { a: 1 });
    assert.deepEqual(seen, [
      'out {"method":"echo","id":0,"params":{"a":1}}',
      'in {"method":"news","params":{"n":1}}',
      'in {"id":0,"result":{"a":1}}',
    ]);
    await client.close();
    await server.closed;
  });

  test("a message is seen before it is delivered and before it is sent, also one that is no message", () => {
    const inner = new ManualTransport();
    const order: string[] = [];
    const transport = tapTransport(
      inner,
      (direction, text) => void order.push(`${direction} ${text} ${inner.sent.length}`),
    );
    transport.start({ message: (text) => void order.push(`delivered ${text}`), closed: () => order.push("closed") });
    inner.arrive("no JSON");
    transport.send("x");
    inner.end();
    assert.deepEqual(order, ["in no JSON 0", "delivered no JSON", "out x 0", "closed"]);
    assert.deepEqual(inner.sent, ["x"]);
  });

  test("backpressure, the end and its reason, and what a child said are those of the transport within", async () => {
    const calls: string[] = [];
    const reason = new ConnectionError("closed", "gone");
    const inner: Transport & { readonly stderr: string } = {
      start: (sink) => sink.closed(reason),
      send: () => undefined,
      buffered: 7,
      drain: async () => void calls.push("drain"),
      pause: () => void calls.push("pause"),
      resume: () => void calls.push("resume"),
      close: async () => void calls.push("close"),
      stderr: "its last words",
    };
    const transport = tapTransport(inner, () => assert.fail("nothing was said"));
    let ended: unknown;
    transport.start({
      message: () => undefined,
      closed: (error) => {
        ended = error;
      },
    });
    transport.pause();
    transport.resume();
    await transport.drain();
    await transport.close();
    assert.equal(ended, reason);
    assert.deepEqual(calls, ["pause", "resume", "drain", "close"]);
    assert.deepEqual([transport.buffered, transport.stderr], [7, "its last words"]);
    assert.equal(
      tapTransport(new ManualTransport(), () => undefined).stderr,
      "",
      "a transport without a child says nothing",
    );
  });
});
