/** A guard ends all that descends from a child, also what has left its session and environment. */
import assert from "node:assert/strict";
import process from "node:process";
import { describe } from "node:test";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import { connectionError } from "../support/async.ts";
import { assertEnds, isAlive, spawnPeer } from "../support/child.ts";
import { test } from "../support/test.ts";

const skip = process.platform !== "linux" && "guards are for Linux";
/** Says the number of a process that nobody can find by its session or environment. */
const hiding = 'env -i setsid sh -c \'echo "\\"$$\\""; exec sleep 1000\' &';

/** Starts a script, and resolves with the number that it says. */
function start(script: string) {
  const transport = spawnTransport({ command: "sh", args: ["-c", script], guard: true, shutdownMs: 100 });
  const said = new Promise<number>((resolve) => {
    transport.start({ message: (text) => resolve(Number(JSON.parse(text))), closed: () => undefined });
  });
  return { transport, said };
}

describe("a guarded program", { skip }, () => {
  test("that ends by itself takes along what hides", async () => {
    const { transport, said } = start(`${hiding} read line`);
    const hidden = await said;
    assert.equal(isAlive(hidden), true);
    transport.send("end");
    await assertEnds(hidden);
    await transport.close();
  });

  test("that will not end is ended with what hides", async () => {
    const { transport, said } = start(`trap "" TERM; ${hiding} while :; do sleep 1; done`);
    const hidden = await said;
    await transport.close();
    assert.equal(isAlive(hidden), false);
  });

  test("gives its exit code and its signal as without a guard", async () => {
    const exited = await connectionError(spawnPeer({ guard: true }).peer.request("exit", { code: 3, stderr: "" }));
    assert.equal(exited.exitCode, 3);
    const crashed = await connectionError(spawnPeer({ guard: true }).peer.request("crash"));
    assert.deepEqual([crashed.exitCode, crashed.signal], [null, "SIGKILL"]);
  });
});
