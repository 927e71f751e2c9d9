import assert from "node:assert/strict";
import { test } from "node:test";
import { type AnyMethods, Connection, EncodedResult, type Transport } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";

const encoded = () => new EncodedResult(new TextEncoder().encode('{"text":"ä€"}'));

test("a result that is encoded already arrives as any other, whatever the transport can do", async () => {
  const [ours, theirs] = memoryPair();
  const server = new Connection<AnyMethods>(theirs, { onRequest: encoded });
  const client = new Connection<AnyMethods>(ours);
  assert.deepEqual(await client.request("read", {}), { text: "ä€" });
  await client.close();
  await server.close();
});

test("a transport that takes bytes gets those of the result, not a copy", async () => {
  const [ours, theirs] = memoryPair();
  const given: Uint8Array[] = [];
  const taking: Transport = {
    start: (sink) => theirs.start(sink),
    send: (text) => theirs.send(text),
    sendEncoded: (head, bytes, tail) => {
      given.push(bytes);
      theirs.send(`${head}${new TextDecoder().decode(bytes)}${tail}`);
    },
    get buffered() {
      return theirs.buffered;
    },
    drain: () => theirs.drain(),
    pause: () => theirs.pause(),
    resume: () => theirs.resume(),
    close: () => theirs.close(),
  };
  const result = encoded();
  const server = new Connection<AnyMethods>(taking, { onRequest: () => result });
  const client = new Connection<AnyMethods>(ours);
  assert.deepEqual(await client.request("read", {}), { text: "ä€" });
  assert.equal(given[0], result.json);
  await client.close();
  await server.close();
});
