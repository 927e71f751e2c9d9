/** Scripts that do not close their client: they end when nothing is left to do, and not before. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { assertNoChildren } from "@quire/testkit";
import { WebSocketServer } from "ws";
import { appServer } from "../faults/support/child.ts";

const script = fileURLToPath(new URL("../../test/client/fixtures/no-close.mjs", import.meta.url));

/** Long for one turn of a small server, and far below what a script that hangs takes. */
const timeout = 30_000;

async function run(what: string, server: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, what, ...server], { timeout });
  assert.equal(stderr, "");
  return stdout;
}

for (const what of ["turn", "idle", "started", "unawaited"]) {
  test(`a script without close() ends by itself, and so does its server: ${what}`, async () => {
    assert.equal(await run(what, appServer()), "hello\n");
    await assertNoChildren();
  });
}

test("a script without close() ends by itself on a WebSocket, too", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (socket) => {
    const [node = "", ...args] = appServer();
    const child = spawn(node, args, { stdio: ["pipe", "pipe", "inherit"] });
    socket.on("message", (data: Buffer) => child.stdin.write(`${data.toString()}\n`));
    let rest = "";
    child.stdout.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) socket.send(line);
    });
    socket.on("close", () => child.stdin.end());
  });
  try {
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    for (const what of ["turn", "idle"]) assert.equal(await run(what, [`ws://127.0.0.1:${port}`]), "hello\n");
  } finally {
    server.close();
  }
});
