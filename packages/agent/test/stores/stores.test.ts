import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { PromptExecuted } from "@quire/agent";
import { fileStore, memoryStore, openSession } from "@quire/agent/stores";
import { tempDir } from "@quire/testkit";
import { hello, stage } from "../support/stage.ts";
import { storeContract } from "./support/store-contract.ts";

const memory = memoryStore();
storeContract("memory", () => memory);

const folder = await tempDir("stores-");
after(() => folder.remove());
storeContract("files", () => fileStore(join(folder.path, "contract")));

test("14.5: files are readable by their owner only, lie in the folder, and leave nothing else behind", async () => {
  const root = join(folder.path, "own");
  const store = fileStore(root);
  await store.write("../outside", "a");
  await store.write("../outside", "b");
  const [name, ...others] = readdirSync(root);
  assert.deepEqual(others, []);
  assert.match(name ?? "", /^-outside-[0-9a-f]{32}\.json$/);
  assert.equal(statSync(join(root, name ?? "")).mode & 0o777, 0o600);
  assert.equal(statSync(root).mode & 0o777, 0o700);
  assert.ok(readFileSync(join(root, name ?? ""), "utf8").includes('"text":"b"'));
});

test("14.5: a damaged file is an error that names it, and not an empty store", async () => {
  const root = join(folder.path, "damaged");
  const store = fileStore(root);
  await store.write("key", "a");
  const [name = ""] = readdirSync(root);
  writeFileSync(join(root, name), '{"key":"key","text":');
  await assert.rejects(
    store.read("key"),
    (error: Error) => error.message.includes(name) && /damaged/.test(error.message),
  );
  await assert.rejects(store.write("key", "b", { expected: null }), /damaged/);
  await store.write("key", "c");
  assert.equal((await store.read("key"))?.text, "c");
});

test("14.3: logs are kept if asked for", async () => {
  const store = memoryStore();
  for (const logs of [true, false]) {
    const key = String(logs);
    const first = await openSession(store, key, { logs });
    await stage().agent.evaluate(hello.bind(), { session: first.session });
    await first.save();
    const { session } = await openSession(store, key, { logs });
    assert.equal(session.slice(PromptExecuted).size, logs ? 1 : 0);
  }
});
