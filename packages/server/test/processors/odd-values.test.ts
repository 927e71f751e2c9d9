/** Values that no client means are refused by name, and the next request is answered. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { RpcError } from "@quire/jsonrpc";
import { testServer } from "../support/test-server.ts";

const config = (keyPath: string, value: unknown) => ["config/value/write", { keyPath, value, mergeStrategy: "upsert" }];

const odd = [
  ["thread/start", { approvalPolicy: { toString: 1 } }],
  ["thread/start", { approvalPolicy: { granular: { toString: 1 }, toString: "x" } }],
  ["review/start", { threadId: "x", target: { type: "uncommittedChanges" }, delivery: { toString: 1 } }],
  config("__proto__", 1),
  config("__proto__.x", 1),
  config("desktop", JSON.parse('{"a":[{"__proto__":{"x":1}}]}')),
  config("a.".repeat(100_000).concat("b"), 1),
  config("desktop", JSON.parse(`${'{"a":'.repeat(200)}1${"}".repeat(200)}`)),
] as [string, object][];

for (const [method, params] of odd) {
  test(`${method} ${JSON.stringify(params).slice(0, 80)} is the client's mistake`, async () => {
    await using server = await testServer();
    const before = readFileSync(join(server.home, "config.toml"), "utf8");
    const error = await server.client.request(method, params).catch((thrown: unknown) => thrown);
    assert.ok(RpcError.is(error), String(error));
    assert.equal(error.code, -32600);
    assert.equal(readFileSync(join(server.home, "config.toml"), "utf8"), before);
  });
}

test("a folder that cannot exist has nothing to take over", async () => {
  await using server = await testServer();
  const found = await server.client.request("externalAgentConfig/detect", { cwds: ["/tmp/a\0b"] });
  assert.deepEqual(found.items, []);
});

test("a table of thousands of keys is written as it is, and merged", async () => {
  await using server = await testServer({ model: "offline" });
  const table = (name: string) => Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`${name}${n}`, n]));
  for (const name of ["a", "b"]) await server.client.request(...(config("desktop", table(name)) as [string, object]));
  const edits = Object.entries(table("c")).map(([key, value]) => ({
    keyPath: `desktop.${key}`,
    value,
    mergeStrategy: "replace",
  }));
  await server.client.request("config/batchWrite", { edits });
  const written = Bun.TOML.parse(readFileSync(join(server.home, "config.toml"), "utf8"));
  assert.deepEqual(written, { desktop: { ...table("a"), ...table("b"), ...table("c") } });
});
