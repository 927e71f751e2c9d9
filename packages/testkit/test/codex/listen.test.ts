import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { connectWebSocket } from "@quire/jsonrpc/websocket";
import { codexVersion } from "@quire/protocol/version";
import { assertNoProcesses, eventually, listen, mockResponses, realCodex, skipWithoutCodex } from "@quire/testkit";

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

test("a port that somebody else uses for a moment is waited for", { skip, timeout }, async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  await using mock = await mockResponses();
  await using codex = await realCodex(codexVersion, { model: mock });
  const tries = join(codex.cwd, "tries");
  const counted = ["-c", 'echo >> "$0"; exec "$@"', tries, codex.command, ...codex.args];
  const listening = listen({ ...codex, command: "/bin/sh", args: counted }, port);
  await eventually(() => readFileSync(tries).length > 1);
  other.close();
  await using server = await listening;
  assert.equal(server.port, port);
});

test("a server that cannot listen is an error with what it said", async () => {
  const place = { args: [], env: {}, cwd: process.cwd() };
  const says = { ...place, command: process.execPath, args: ["-e", "console.error('no port'); process.exit(3)", "--"] };
  await assert.rejects(listen(says), /The server ended before it listened: [\s\S]*no port/);
  await assert.rejects(listen({ ...place, command: "/nonexistent" }), /ENOENT/);
});
