import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseAddress } from "../../src/hub/address.ts";
import { scriptedGateway, testGateway } from "../support/test-gateway.ts";
import { openPage } from "../support/test-page.ts";

describe("an address", () => {
  test("may be a WebSocket or a unix socket, and shows no secret", () => {
    assert.deepEqual(parseAddress(" ws://localhost:4500/ "), {
      shown: "ws://127.0.0.1:4500",
      url: "ws://127.0.0.1:4500",
      token: undefined,
      name: "127.0.0.1:4500",
    });
    assert.deepEqual(parseAddress("wss://s%20cret@example.org/agents?key=hidden"), {
      shown: "wss://example.org/agents",
      url: "wss://example.org/agents?key=hidden",
      token: "s cret",
      name: "example.org/agents",
    });
    assert.equal(parseAddress("ws://:secret@[::1]:4500").token, "secret");
    assert.equal(parseAddress("unix:///run/quire.sock").name, "/run/quire.sock");
  });

  test("of another kind is refused with what is expected", () => {
    for (const wrong of [
      "",
      "http://x",
      "ws://",
      "ws:///x",
      "unix://relative",
      "file:///etc/passwd",
      "127.0.0.1:4500",
    ]) {
      assert.throws(() => parseAddress(wrong), /ws:\/\/HOST:PORT|absolute path/, wrong);
    }
    assert.throws(() => parseAddress(`ws://${"a".repeat(3000)}`), /at most 2048/);
  });
});

describe("pages add and remove servers", () => {
  test("and all of them see it; what cannot be is said to the one that asked", async () => {
    await using stage = scriptedGateway({ reconnect: { attempts: 0 } });
    await using first = await openPage(stage.gateway);
    await using second = await openPage(stage.gateway);
    const embedded = await first.hub();
    // Nobody listens on port 1.
    first.send({ type: "addHub", address: "ws://secret@localhost:1" });
    const { id, error, ...shown } = await second.hub(({ state }) => state === "disconnected");
    assert.deepEqual([shown.kind, shown.name, shown.address], ["address", "127.0.0.1:1", "ws://127.0.0.1:1"]);
    assert.match(error ?? "", /Check that a server listens on ws:\/\/127\.0\.0\.1:1, then reconnect/);
    assert.doesNotMatch(JSON.stringify(second.frames), /secret/);

    first.send({ type: "addHub", address: "http://example.org" });
    first.send({ type: "removeHub", id: embedded.id });
    first.send({ type: "removeHub", id: "hnone" });
    first.send({ type: "reconnectHub", id: "hnone" });
    first.send({ type: "removeHub", id });
    // Each page hears it by a socket of its own, behind what that page was told before.
    for (const page of [first, second]) await page.hub(() => page.hubs.length === 1);
    const failures = first.frames.flatMap((frame) => (frame.type === "failed" ? [[frame.request, frame.message]] : []));
    assert.deepEqual(failures, [
      ["addHub", "An address is ws://HOST:PORT, wss://HOST:PORT or unix:///PATH"],
      ["removeHub", "The embedded server belongs to quire and stays"],
      ["removeHub", "There is no such server"],
    ]);
    assert.equal(
      second.frames.some(({ type }) => type === "failed"),
      false,
    );
  });

  test("up to a bound", async () => {
    await using gateway = testGateway({ reconnect: { attempts: 0 } });
    await using page = await openPage(gateway);
    for (let port = 1; port <= 65; port++) page.send({ type: "addHub", address: `unix:///nowhere/${port}` });
    await page.hub(() => page.frames.some(({ type }) => type === "failed"));
    assert.equal(page.hubs.length, 64);
  });

  test("and a wrong one on the command line keeps the gateway from starting", () => {
    assert.throws(() => testGateway({ addresses: ["nonsense"] }), /An address is ws:/);
  });
});
