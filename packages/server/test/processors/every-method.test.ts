import assert from "node:assert/strict";
import { test } from "node:test";
import { methods } from "@quire/protocol/methods";
import { loadHandlers } from "../../src/processors/index.ts";

/** Requests that the server answers elsewhere. */
const elsewhere = new Set(["initialize"]);

async function unserved(names: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const name of names) {
    if (!elsewhere.has(name) && !(await loadHandlers(name)).has(name)) missing.push(name);
  }
  return missing;
}

test("every request of the protocol is served, or refused by a handler that says why", async () => {
  const requests = Object.entries(methods).filter(([, { from, kind }]) => from === "client" && kind === "request");
  assert.deepEqual(await unserved(requests.map(([name]) => name)), [], "add a handler in src/processors");
  assert.deepEqual(await unserved(["thread/start", "thread/planted"]), ["thread/planted"]);
});
