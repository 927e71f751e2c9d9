import assert from "node:assert/strict";
import { describe } from "node:test";
import { Connection } from "@quire/jsonrpc";
import { type ChildTransport, spawnTransport } from "@quire/jsonrpc/stdio";
import { deferred, rejection } from "../support/async.ts";
import { RawPeer } from "../support/peers.ts";
import { script } from "../support/script.ts";
import { test } from "../support/test.ts";

/** Spawns a server that has `server` in scope: a connection over its own stdin and stdout. */
function spawnServer(body: string): ChildTransport {
  const setUp = "const server = new Connection(stdioTransport(), { answerMalformed: true });";
  return spawnTransport({ ...script(`${setUp}\n${body}`), shutdownMs: 60_000 });
}

describe("a server over its own stdin and stdout", () => {
  test("serves, calls back and notifies", async () => {
    const client = new Connection(
      spawnServer(`
        server.handle("greet", async ({ name }) => {
          server.notify("greeting");
          return (await server.request("salutation")) + " " + name;
        });
      `),
    );
    const notified = deferred<unknown>();
    client.on("greeting", notified.resolve);
    client.handle("salutation", () => "héllo");
    assert.equal(await client.request("greet", { name: "Ada\u2028" }), "héllo Ada\u2028");
    await notified.promise;
    await client.close();
  });

  test("answers a line that is no JSON with -32700 and goes on", async () => {
    const raw = new RawPeer(spawnServer('server.handle("a", () => 1);'));
    assert.equal(((await raw.ask("{nonsense")) as { error: { code: number } }).error.code, -32700);
    assert.deepEqual(await raw.ask({ id: "x", method: "a" }), { id: "x", result: 1 });
    await raw.transport.close();
  });

  test("ends by itself, without an error, once its input ends", async () => {
    const transport = spawnServer(`
      server.handle("a", () => 1);
      server.closed.then((error) => console.error("closed:", error));
    `);
    const client = new Connection(transport);
    await client.request("a");
    await client.close();
    assert.equal(transport.stderr.trim(), "closed: undefined");
  });

  test("learns in its running handlers that its client has gone", async () => {
    const transport = spawnServer(`
      server.handle("wait", (_, { signal }) => {
        server.notify("started");
        return new Promise(() => signal.addEventListener("abort", () => console.error("aborted")));
      });
    `);
    const client = new Connection(transport);
    const started = deferred<unknown>();
    client.on("started", started.resolve);
    const call = rejection(client.request("wait"));
    await started.promise;
    await client.close();
    await call;
    assert.equal(transport.stderr.trim(), "aborted");
  });

  test("delivers all it sent before it closed, also when it exits right after", async () => {
    const transport = spawnServer(`
      server.on("quit", async () => {
        for (let n = 0; n < 30; n++) server.notify("last", "x".repeat(50000));
        await server.close();
        process.exit(0);
      });
    `);
    let received = 0;
    const client = new Connection(transport, { onNotification: () => void received++ });
    client.notify("quit");
    assert.equal((await client.closed)?.exitCode, 0);
    assert.equal(received, 30);
  });

  test("keeps a bounded amount for a client that does not read", async () => {
    const transport = spawnServer(`
      server.on("produce", async () => {
        let largest = 0;
        for (let n = 0; n < 300; n++) {
          server.notify("item", "x".repeat(20000));
          largest = Math.max(largest, server.unsent);
          await server.drain();
        }
        server.notify("largest", largest);
      });
    `);
    const client = new Connection(transport, { maxRunningNotifications: 1 });
    let items = 0;
    client.on("item", async () => {
      if (++items === 1) await new Promise(setImmediate);
    });
    const largest = deferred<unknown>();
    client.on("largest", largest.resolve);
    client.notify("produce");
    assert.ok(((await largest.promise) as number) < 2 * 1024 * 1024);
    assert.equal(items, 300);
    await client.close();
  });
});
