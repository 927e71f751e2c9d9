import assert from "node:assert/strict";
import { describe } from "node:test";
import { connectionError, deferred, rejection, turn, until } from "../support/async.ts";
import { assertEnds, spawnPeer } from "../support/child.ts";
import { test } from "../support/test.ts";

describe("a program that ends by itself", () => {
  test("gives its exit code and its last words in the error of every pending call", async () => {
    const { peer } = spawnPeer();
    const waiting = connectionError(peer.request("never"));
    const params = { code: 3, stderr: "fatal: out of paper\n" };
    for (const error of [await connectionError(peer.request("exit", params)), await waiting]) {
      assert.deepEqual([error.code, error.exitCode, error.signal, error.mayHaveRun], ["closed", 3, null, true]);
      assert.equal(error.stderr, params.stderr);
      assert.match(error.message, /exited with code 3; it said: fatal: out of paper/);
    }
    const later = await connectionError(peer.request("echo"));
    assert.deepEqual([later.exitCode, later.mayHaveRun], [3, false]);
    assert.equal((await peer.closed)?.exitCode, 3);
  });

  test("by a signal gives the signal", async () => {
    const { peer } = spawnPeer();
    const error = await connectionError(peer.request("crash"));
    assert.deepEqual([error.exitCode, error.signal], [null, "SIGKILL"]);
    assert.match(error.message, /was ended by SIGKILL/);
  });

  test("delivers all it wrote before, then the end, however much it was", async () => {
    const count = 20_000;
    const { peer } = spawnPeer();
    const seen: unknown[] = [];
    peer.on("burst", (params) => void seen.push(params));
    const call = connectionError(peer.request("burstAndExit", { count }));
    assert.equal((await call).exitCode, 0);
    assert.deepEqual(
      seen,
      Array.from({ length: count }, (_, n) => n),
    );
  });

  test("delivers all it wrote before also to a listener that holds it back", async () => {
    const count = 300;
    const { peer, transport } = spawnPeer({}, { maxRunningNotifications: 1 });
    const seen: unknown[] = [];
    peer.on("burst", async (params) => {
      if (params === 0) await assertEnds(transport.pid);
      await turn();
      seen.push(params);
    });
    assert.equal((await connectionError(peer.request("burstAndExit", { count }))).exitCode, 0);
    await until(() => seen.length === count);
    assert.deepEqual(
      seen,
      Array.from({ length: count }, (_, n) => n),
    );
  });

  test("delivers a last message that has no newline", async () => {
    const { peer } = spawnPeer();
    const last = deferred<unknown>();
    peer.on("last", last.resolve);
    await rejection(peer.request("exit", { code: 0, stdout: '{"method":"last","params":"é"}' }));
    assert.equal(await last.promise, "é");
  });

  test("while its output goes to a process it left behind does not keep the connection open", async () => {
    const { peer } = spawnPeer();
    const pid = await peer.request("spawn", { detached: true, shareOutput: true });
    assert.equal((await connectionError(peer.request("exit", { code: 4 }))).exitCode, 4);
    await assertEnds(pid);
  });

  test("closes its output but runs on: it is ended, and the error says what happened", async () => {
    const { peer, transport } = spawnPeer({ shutdownMs: 20 });
    const error = await connectionError(peer.request("closeStdout"));
    assert.equal(error.code, "closed");
    assert.match(error.message, /closed its output, went on running and was terminated/);
    await assertEnds(transport.pid);
  });

  test("stops reading and runs on: calls to it fail instead of waiting for ever", async () => {
    const { peer, transport } = spawnPeer({ shutdownMs: 20 });
    await peer.request("closeStdin");
    const error = await connectionError(peer.request("echo", "x".repeat(200_000)));
    assert.equal(error.code, "closed");
    assert.match(error.message, /stopped reading/);
    await assertEnds(transport.pid);
  });
});

describe("what a program says on stderr", () => {
  test("is seen as it comes", async () => {
    let said = "";
    const { peer } = spawnPeer({ onStderr: (chunk) => (said += new TextDecoder().decode(chunk)) });
    await peer.request("stderr", { text: "warning: one\n" });
    await until(() => said === "warning: one\n");
    await peer.close();
  });

  test("is kept to its last 8 KB, from a whole character on, and never blocks the program", async () => {
    for (const filler of ["x", "é", "€", "😀"]) {
      const { peer, transport } = spawnPeer();
      const text = `${filler.repeat(400_000)}-the end`;
      await peer.request("stderr", { text });
      const error = await connectionError(peer.request("exit", { code: 1, stderr: "." }));
      const bytes = Buffer.byteLength(error.stderr);
      assert.ok(bytes <= 8192 && bytes > 8192 - 4, `${bytes} bytes`);
      assert.ok(`${text}.`.endsWith(error.stderr));
      assert.equal(transport.stderr, error.stderr);
      assert.ok(error.message.length < 600, "the message itself stays readable");
    }
  });

  test("is kept whole when it is little, and when it came in many pieces", async () => {
    const { peer } = spawnPeer();
    for (let n = 0; n < 20; n++) await peer.request("stderr", { text: `é${n}\n` });
    const error = await connectionError(peer.request("exit", { code: 1 }));
    assert.equal(error.stderr, Array.from({ length: 20 }, (_, n) => `é${n}\n`).join(""));
  });
});
