import assert from "node:assert/strict";
import process from "node:process";
import { describe } from "node:test";
import { highWaterMark } from "@quire/jsonrpc";
import { connectionError, deferred, isPending, until } from "../support/async.ts";
import { spawnPeer } from "../support/child.ts";
import { test } from "../support/test.ts";

const megabyte = 1024 * 1024;
const chunk = "x".repeat(100_000);

describe("a program that stops reading", () => {
  test("makes a producer that waits for drain wait; memory stays bounded, and it goes on when the program does", async () => {
    const { peer, transport } = spawnPeer({ args: ["--deaf", "--announce"], shutdownMs: 10 });
    await new Promise<void>((resolve) => peer.on("ready", () => resolve()));
    let sent = 0;
    let largest = 0;
    while (peer.unsent < highWaterMark) {
      peer.notify("n", chunk);
      sent += chunk.length;
      await Promise.race([peer.drain(), new Promise(setImmediate)]);
      largest = Math.max(largest, peer.unsent);
      assert.ok(sent < 16 * megabyte, "a pipe holds far less than this");
    }
    const drained = peer.drain();
    assert.equal(await isPending(drained), true);
    assert.ok(largest < 2 * highWaterMark, `${largest} were unsent`);
    process.kill(transport.pid as number, "SIGUSR2");
    await drained;
    assert.ok(peer.unsent < highWaterMark);
    assert.equal(await peer.request("echo", "still here"), "still here");
    await peer.close();
  });

  test("gets no more than maxUnsentBytes; then calls are refused, and say that they did not run", async () => {
    const maxUnsentBytes = megabyte;
    const { peer } = spawnPeer({ args: ["--deaf", "--announce"], shutdownMs: 10 }, { maxUnsentBytes });
    await new Promise<void>((resolve) => peer.on("ready", () => resolve()));
    const overloaded = { code: "overloaded", mayHaveRun: false };
    assert.throws(() => {
      for (;;) peer.notify("n", chunk);
    }, overloaded);
    await until(() => {
      try {
        peer.notify("n", chunk);
        return false;
      } catch {
        return true;
      }
    });
    assert.ok(peer.unsent <= maxUnsentBytes);
    assert.equal((await connectionError(peer.request("r", chunk))).code, "overloaded");
    assert.equal(peer.open, true);
    await peer.close();
  });

  test("does not keep a producer waiting after the connection has been closed", async () => {
    const { peer } = spawnPeer({ args: ["--deaf", "--announce"], shutdownMs: 10 });
    await new Promise<void>((resolve) => peer.on("ready", () => resolve()));
    for (let n = 0; n < 40; n++) peer.notify("n", chunk);
    const drained = peer.drain();
    const closed = peer.close();
    await drained;
    await closed;
    await peer.drain();
  });
});

describe("a program that writes faster than it is read", () => {
  test("is held back by its pipe, so that memory stays bounded; all of it arrives in the end", async () => {
    const limitBytes = 64 * megabyte;
    const stuck = deferred<number>();
    let said = "";
    const onStderr = (text: Uint8Array) => {
      said += new TextDecoder().decode(text);
      const [, after] = /stuck after (\d+)\n/.exec(said) ?? [];
      if (after) stuck.resolve(Number(after));
    };
    const { peer } = spawnPeer({ onStderr }, { maxRunningNotifications: 1 });
    const gate = deferred();
    let received = 0;
    peer.on("flood", (params) => {
      received += JSON.stringify({ method: "flood", params }).length + 1;
      return received < 10_000 ? gate.promise : undefined;
    });
    const flooded = peer.request("flood", { limitBytes }) as Promise<number>;
    const ahead = await Promise.race([stuck.promise, flooded]);
    assert.ok(ahead < 8 * megabyte, `the program got ${ahead} bytes ahead`);
    assert.ok(received < 10_000);
    gate.resolve();
    assert.equal(await flooded, received);
    await peer.close();
  });
});
