import assert from "node:assert/strict";
import { test } from "node:test";
import { connectWebSocket } from "@quire/jsonrpc/websocket";
import { codexVersion } from "@quire/protocol/version";
import { assertNoProcesses, listen, mockResponses, realCodex, skipWithoutCodex } from "@quire/testkit";

const skip = await skipWithoutCodex(codexVersion);
const timeout = 120_000;

test("a real Codex listens on a free port, and is gone when its scope ends", { skip, timeout }, async () => {
  await using mock = await mockResponses();
  await using codex = await realCodex(codexVersion, { model: mock });
  {
    await using server = await listen(codex);
    assert.equal(server.url, `ws://127.0.0.1:${server.port}`);
    await (await connectWebSocket(server.url)).close();
    await server.kill();
  }
  await assertNoProcesses({ tag: codex.tag });
});

test("a server that cannot listen is an error with what it said", async () => {
  const place = { args: [], env: {}, cwd: process.cwd() };
  const says = { ...place, command: process.execPath, args: ["-e", "console.error('no port'); process.exit(3)", "--"] };
  await assert.rejects(listen(says), /The server ended before it listened: [\s\S]*no port/);
  await assert.rejects(listen({ ...place, command: "/nonexistent" }), /ENOENT/);
});
