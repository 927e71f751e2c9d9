import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isLoopback, parseListenAddress } from "../../src/listen/listen-address.ts";

describe("--listen", () => {
  test("takes every address that codex takes", () => {
    assert.deepEqual(parseListenAddress("stdio://"), { kind: "stdio" });
    assert.deepEqual(parseListenAddress("off"), { kind: "off" });
    assert.deepEqual(parseListenAddress("unix://"), { kind: "unix", path: "" });
    assert.deepEqual(parseListenAddress("unix:///run/a b.sock"), { kind: "unix", path: "/run/a b.sock" });
    assert.deepEqual(parseListenAddress("ws://127.0.0.1:0"), { kind: "websocket", host: "127.0.0.1", port: 0 });
    assert.deepEqual(parseListenAddress("ws://[::1]:4500"), { kind: "websocket", host: "::1", port: 4500 });
  });

  test("refuses names, missing ports and other schemes, and says what is expected", () => {
    for (const url of [
      "ws://localhost:0",
      "ws://127.0.0.1",
      "ws://127.0.0.1:99999",
      "ws://1.2.3.400:1",
      "ws://1.2.3:1",
      "ws://[::g]:1",
    ]) {
      assert.throws(() => parseListenAddress(url), {
        message: `invalid websocket --listen URL \`${url}\`; expected \`ws://IP:PORT\``,
        usage: true,
      });
    }
    for (const url of ["", "foo", "http://x", "wss://127.0.0.1:1"]) {
      assert.throws(() => parseListenAddress(url), /unsupported --listen URL .*; expected `stdio:\/\/`/);
    }
  });

  test("knows what only this machine can reach", () => {
    for (const host of ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
      assert.equal(isLoopback(host), true, host);
    for (const host of ["0.0.0.0", "::", "10.0.0.1", "192.168.127.1", "1270.0.0.1"])
      assert.equal(isLoopback(host), false, host);
  });
});
