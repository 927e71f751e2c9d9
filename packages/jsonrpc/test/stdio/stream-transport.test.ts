import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "node:test";
import { Connection, highWaterMark } from "@quire/jsonrpc";
import { StreamTransport } from "@quire/jsonrpc/stdio";
import { connectionError, isPending, until } from "../support/async.ts";
import { RawPeer } from "../support/peers.ts";
import { test } from "../support/test.ts";

/** The two ends of a unix socket. */
async function socketPair(): Promise<{ near: Socket; far: Socket; free(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "quire-jsonrpc-"));
  const server = createServer({ allowHalfOpen: true });
  server.listen(join(folder, "s"));
  await once(server, "listening");
  const near = connect({ path: join(folder, "s"), allowHalfOpen: true });
  const [far] = (await once(server, "connection")) as [Socket];
  const free = () => {
    near.destroy();
    far.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { near, far, free };
}

describe("a transport over streams", () => {
  test("works over one socket for both directions and delivers what was sent before closing", async () => {
    const { near, far, free } = await socketPair();
    const client = new Connection(new StreamTransport(near, near));
    const server = new Connection(new StreamTransport(far, far));
    let received = 0;
    server.handle("echo", (params) => params);
    server.on("last", () => void received++);
    assert.equal(await client.request("echo", "é\u2028"), "é\u2028");
    for (let n = 0; n < 20; n++) client.notify("last", "x".repeat(50_000));
    await client.close();
    assert.equal(await server.closed, undefined);
    assert.equal(received, 20);
    free();
  });

  test("messages sent in one go leave in few writes, in order", async () => {
    const { near, far, free } = await socketPair();
    const raw = new RawPeer(new StreamTransport(far, far));
    let writes = 0;
    const original = near.write.bind(near);
    near.write = ((...args: Parameters<typeof original>) => {
      writes++;
      return original(...args);
    }) as typeof near.write;
    const transport = new StreamTransport(near, near);
    for (let n = 0; n < 1000; n++) transport.send(String(n));
    await until(() => raw.received.length === 1000);
    assert.equal(writes, 1);
    assert.deepEqual(
      raw.received,
      Array.from({ length: 1000 }, (_, n) => String(n)),
    );
    free();
  });

  test("tells a connection made after the stream had ended", async () => {
    const { near, far, free } = await socketPair();
    near.resume();
    far.end('{"method":"missed"}\n');
    near.end();
    await once(near, "close");
    const connection = new Connection(new StreamTransport(near, near));
    assert.equal((await connectionError(connection.request("a"))).code, "closed");
    free();
  });

  test("a broken stream ends the connection with an error that says why", async () => {
    const { near, far, free } = await socketPair();
    const connection = new Connection(new StreamTransport(near, near));
    const call = connectionError(connection.request("a"));
    near.destroy(new Error("cable cut"));
    assert.match((await call).message, /cable cut/);
    assert.match((await connection.closed)?.message ?? "", /cable cut/);
    far.destroy();
    free();
  });

  test("a peer that never reads keeps neither a producer nor close waiting for ever", async () => {
    const { near, far, free } = await socketPair();
    const transport = new StreamTransport(near, near);
    const connection = new Connection(transport);
    far.pause();
    while (connection.unsent < highWaterMark) {
      connection.notify("n", "x".repeat(100_000));
      await new Promise(setImmediate);
    }
    const drained = connection.drain();
    assert.equal(await isPending(drained), true);
    await connection.close();
    await drained;
    assert.equal(near.destroyed, true);
    free();
  });

  test("a producer goes on when the stream breaks under it", async () => {
    const { near, far, free } = await socketPair();
    const connection = new Connection(new StreamTransport(near, near));
    far.pause();
    for (let n = 0; n < 40; n++) connection.notify("n", "x".repeat(100_000));
    const drained = connection.drain();
    far.destroy();
    await drained;
    await connection.closed;
    free();
  });

  test("what still comes in after the end is neither delivered nor kept", async () => {
    const { near, far, free } = await socketPair();
    const transport = new StreamTransport(near, near, { maxMessageBytes: 1000 });
    const raw = new RawPeer(transport);
    far.write('{"a":1}\n');
    await raw.next();
    transport.end();
    far.write(`${'{"late":1}\n'.repeat(1000)}${"x".repeat(5000)}`);
    far.end();
    await once(near, "end");
    assert.equal(await raw.closed, undefined);
    assert.deepEqual(raw.received, ['{"a":1}']);
    await transport.close();
    free();
  });
});
