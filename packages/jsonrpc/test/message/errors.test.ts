import assert from "node:assert/strict";
import { describe } from "node:test";
import { ConnectionError, RpcError } from "@quire/jsonrpc";
import { test } from "../support/test.ts";

describe("errors", () => {
  test("is() tells the two families apart and everything else from both", () => {
    const rpc = new RpcError({ code: 1, message: "m" });
    const local = new ConnectionError("closed", "m");
    assert.deepEqual([RpcError.is(rpc), ConnectionError.is(rpc)], [true, false]);
    assert.deepEqual([RpcError.is(local), ConnectionError.is(local)], [false, true]);
    for (const other of [new Error("m"), { code: 1, message: "m" }, null, undefined, "m", 1]) {
      assert.deepEqual([RpcError.is(other), ConnectionError.is(other)], [false, false]);
    }
  });

  test("is() knows an error made by another copy of the package, and a subclass", () => {
    class Special extends ConnectionError {}
    const otherCopy = Object.assign(new Error("m"), { [Symbol.for("@quire/jsonrpc/RpcError")]: true });
    assert.equal(RpcError.is(otherCopy), true);
    assert.equal(ConnectionError.is(new Special("timeout", "m")), true);
  });

  test("they print under their own name and carry what a report needs", () => {
    const cause = new Error("below");
    const options = { mayHaveRun: true, exitCode: 3, signal: "SIGKILL", stderr: "last words", cause };
    const error = new ConnectionError("closed", "it ended", options);
    assert.match(String(error), /^ConnectionError: it ended/);
    assert.deepEqual(
      [error.code, error.mayHaveRun, error.exitCode, error.signal, error.stderr, error.cause],
      ["closed", true, 3, "SIGKILL", "last words", cause],
    );
    const bare = new ConnectionError("closed", "it ended");
    assert.deepEqual([bare.mayHaveRun, bare.exitCode, bare.signal, bare.stderr], [false, null, null, ""]);
    assert.match(String(new RpcError({ code: 1, message: "m" })), /^RpcError: m/);
  });

  test("an RpcError gives back what it was made from", () => {
    assert.deepEqual(new RpcError({ code: 1, message: "m" }).toErrorObject(), { code: 1, message: "m" });
    const full = { code: 2, message: "m", data: { a: null } };
    assert.deepEqual(new RpcError(full).toErrorObject(), full);
    assert.equal(new RpcError(full, { mayHaveRun: false }).mayHaveRun, false);
  });
});
