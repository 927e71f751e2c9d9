import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { APICallError } from "@ai-sdk/provider";
import { createCodex } from "@quire/client/ai-sdk";
import { type ScriptedServer, scriptedServer } from "@quire/testkit";
import { generateText } from "ai";
import { type WebSocket, WebSocketServer } from "ws";

/** Scripted servers behind a socket, one for each connection. */
async function listening() {
  const listener = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(listener, "listening");
  const servers: ScriptedServer[] = [];
  listener.on("connection", (socket: WebSocket) => {
    const server = scriptedServer();
    servers.push(server);
    server.transport.start({ message: (text) => socket.send(text), closed: () => socket.close() });
    socket.on("message", (data) => server.transport.send(String(data)));
    socket.on("close", () => void server.close());
  });
  return {
    servers,
    url: `ws://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => listener.close(() => resolve())),
  };
}

test("a provider with an url connects at the first call, once, and closes what it opened", async () => {
  await using there = await listening();
  const codex = createCodex({ url: there.url });
  assert.equal(there.servers.length, 0);
  const calls = [1, 2, 3].map((n) => generateText({ model: codex(), prompt: `Call ${n}` }));
  assert.deepEqual(
    (await Promise.all(calls)).map(({ text }) => text),
    ["ok", "ok", "ok"],
  );
  assert.equal(there.servers.length, 1);
  await codex.close();
});

test("a server that is not there is an APICallError, and the next call tries again", async () => {
  await using codex = createCodex({ command: ["/no/such/codex"] });
  for (let round = 0; round < 2; round++) {
    await assert.rejects(generateText({ model: codex(), prompt: "Go", maxRetries: 0 }), (error) => {
      assert.ok(APICallError.isInstance(error));
      assert.equal(error.isRetryable, false);
      assert.match(error.message, /no\/such\/codex/);
      return true;
    });
  }
});
