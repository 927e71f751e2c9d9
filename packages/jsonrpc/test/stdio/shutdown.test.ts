import assert from "node:assert/strict";
import { describe } from "node:test";
import { connectionError, rejection } from "../support/async.ts";
import { assertEnds, isAlive, spawnPeer } from "../support/child.ts";
import { test } from "../support/test.ts";

describe("closing a connection to a program", () => {
  test("ends its input and lets it leave by itself", async () => {
    const { peer, transport } = spawnPeer({ shutdownMs: 60_000 });
    await peer.request("echo");
    await peer.close();
    assert.equal(isAlive(transport.pid as number), false);
    assert.equal(await peer.closed, undefined);
  });

  test("right after spawning it works too", async () => {
    const { peer, transport } = spawnPeer({ shutdownMs: 60_000 });
    await peer.close();
    assert.equal(isAlive(transport.pid as number), false);
  });

  test("delivers what was sent just before", async () => {
    let said = "";
    const onStderr = (chunk: Uint8Array) => (said += new TextDecoder().decode(chunk));
    // The program is still being started: it must get the time to read at all.
    const { peer } = spawnPeer({ onStderr, shutdownMs: 60_000 });
    const call = rejection(peer.request("stderr", { text: "heard" }));
    await peer.close();
    await call;
    assert.equal(said, "heard");
  });

  test("terminates one that ignores the end of its input", async () => {
    const { peer, transport } = spawnPeer({ args: ["--stay"], shutdownMs: 10 });
    await peer.request("echo");
    await peer.close();
    assert.equal(isAlive(transport.pid as number), false);
  });

  test("kills one that ignores SIGTERM as well", async () => {
    const { peer, transport } = spawnPeer({ args: ["--stay", "--ignore-signals"], shutdownMs: 10 });
    await peer.request("echo");
    await peer.close();
    assert.equal(isAlive(transport.pid as number), false);
  });

  test("twice, at once and later, is the same as once", async () => {
    const { peer, transport } = spawnPeer({ args: ["--stay"], shutdownMs: 10 });
    await peer.request("echo");
    await Promise.all([peer.close(), peer.close(), transport.close()]);
    await peer.close();
    assert.equal(isAlive(transport.pid as number), false);
  });

  test("settles pending calls at once, not after the program has left", async () => {
    const { peer, transport } = spawnPeer({ args: ["--stay", "--ignore-signals"], shutdownMs: 10 });
    await peer.request("echo");
    const call = connectionError(peer.request("never"));
    const closed = peer.close();
    assert.equal((await call).code, "closed");
    assert.equal(isAlive(transport.pid as number), true);
    await closed;
  });

  test("while the program floods it with output does not hang", async () => {
    const { peer, transport } = spawnPeer({ shutdownMs: 10 });
    const call = rejection(peer.request("flood", { limitBytes: Number.MAX_SAFE_INTEGER }));
    await peer.request("echo").catch(() => undefined);
    await peer.close();
    await call;
    assert.equal(isAlive(transport.pid as number), false);
  });

  test("after the program has crashed is quiet", async () => {
    const { peer } = spawnPeer();
    await rejection(peer.request("crash"));
    await peer.close();
  });
});

describe("no process is left behind", () => {
  const kinds = [
    ["a plain one", {}],
    ["one in a session of its own", { detached: true }],
    ["one that a nested connection started", { detached: true, nested: true }],
  ] as const;
  for (const [kind, options] of kinds) {
    test(`by a program that leaves on request: ${kind}`, async () => {
      const { peer } = spawnPeer({ shutdownMs: 60_000 });
      const pid = await peer.request("spawn", options);
      await peer.close();
      await assertEnds(pid);
    });

    test(`by a program that has to be killed: ${kind}`, async () => {
      const { peer } = spawnPeer({ args: ["--stay", "--ignore-signals"], shutdownMs: 10 });
      const pid = await peer.request("spawn", options);
      await peer.close();
      await assertEnds(pid);
    });

    test(`by a program that crashes: ${kind}`, async () => {
      const { peer } = spawnPeer();
      const pids = await Promise.all([peer.request("spawn", options), peer.request("spawn", options)]);
      await rejection(peer.request("crash"));
      for (const pid of pids) await assertEnds(pid);
    });
  }

  test("and nobody else's process is touched", async () => {
    const first = spawnPeer();
    const second = spawnPeer();
    const pid = await second.peer.request("spawn", { detached: true });
    await rejection(first.peer.request("crash"));
    await first.peer.close();
    assert.equal(await second.peer.request("echo", "alive"), "alive");
    assert.equal(isAlive(pid as number), true);
    await second.peer.close();
    await assertEnds(pid);
  });
});
