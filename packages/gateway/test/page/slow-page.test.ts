import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, test } from "node:test";
import type { Gateway } from "@quire/gateway";
import { eventually } from "@quire/testkit";
import { rawServer } from "../support/raw-server.ts";
import { scriptedGateway, testGateway } from "../support/test-gateway.ts";
import { openPage, signIn } from "../support/test-page.ts";

/** A page that shakes hands and then reads nothing. */
async function deafPage(gateway: Gateway): Promise<Socket> {
  const socket = connect(gateway.port, "127.0.0.1");
  const lines = [
    "GET /socket HTTP/1.1",
    `Host: 127.0.0.1:${gateway.port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    `Cookie: ${await signIn(gateway)}`,
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  const [head] = (await once(socket, "data")) as [Buffer];
  assert.match(head.toString(), /^HTTP\/1\.1 101/);
  socket.pause();
  return socket;
}

describe("a page that does not read", () => {
  test("is cut off, and nobody waits for it", async () => {
    await using stage = scriptedGateway({ maxUnsentBytes: 1024 * 1024 });
    await using good = await openPage(stage.gateway);
    const { id } = await good.hub();
    const deaf = await deafPage(stage.gateway);
    const text = "x".repeat(256 * 1024);
    // More than the buffers of a socket hold, whatever the system's settings.
    for (let at = 0; at < 200; at++) {
      stage.server.notify("tick", { at, text });
      await good.hears(id, "tick", at);
    }
    const ended = once(deaf, "close");
    deaf.resume();
    deaf.on("error", () => undefined);
    await ended;
    assert.ok((await good.call(id, "thread/start")).result);
  });

  test("is not cut off for the size of what it asked for", async () => {
    const text = "x".repeat(40 * 1024 * 1024);
    const dial = () =>
      rawServer(({ id }, say) => {
        say({ id: id ?? null, result: { text } });
        for (let at = 0; at < 50; at++) say({ method: "tick", params: { at } });
      });
    await using gateway = testGateway({ maxUnsentBytes: 64 * 1024, embedded: { dial } });
    await using page = await openPage(gateway);
    const { id } = await page.hub();
    const { text: read } = await page.result<{ text: string }>(id, "thread/read");
    assert.equal(read.length, text.length);
    await eventually(() => page.heard(id, "tick").length === 50);
  });
});
