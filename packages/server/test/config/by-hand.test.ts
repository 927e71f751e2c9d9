import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { reply, tempDir } from "@quire/testkit";
import { writeConfig } from "../../src/config/write-config.ts";
import { testServer, unattended } from "../support/test-server.ts";

const edits = [{ keyPath: ["model"], value: "written", merge: false }];

test("what somebody writes into config.toml while the server does is kept, beside what the server writes", async () => {
  await using folder = await tempDir("quire-config-");
  const file = join(folder.path, "config.toml");
  writeFileSync(file, '# mine\nmodel = "one"\n');
  let looked = 0;
  const check = () => {
    // Between reading and writing, as an editor may save at any time.
    if (++looked <= 3) writeFileSync(file, `${readFileSync(file, "utf8")}# note ${looked}\n`);
  };
  writeConfig(folder.path, { edits, check });
  assert.equal(readFileSync(file, "utf8"), '# mine\nmodel = "written"\n# note 1\n# note 2\n# note 3\n');
  assert.deepEqual(readdirSync(folder.path), ["config.toml"]);
});

test("a file that never stands still is left as it is, and the writer told so", async () => {
  await using folder = await tempDir("quire-config-");
  const file = join(folder.path, "config.toml");
  let looked = 0;
  const check = () => writeFileSync(file, `# note ${++looked}\n`);
  assert.throws(() => writeConfig(folder.path, { edits, check }), /modified since last read/);
  assert.equal(readFileSync(file, "utf8"), `# note ${looked}\n`);
  assert.deepEqual(readdirSync(folder.path), ["config.toml"]);
});

test("while config.toml is half written, threads work on, and nothing is written over it", async () => {
  await using folder = await tempDir("quire-config-");
  const home = join(folder.path, "home");
  await using server = await testServer({ home, model: "scripted" });
  const thread = await server.client.thread({ ...unattended, cwd: folder.path });
  const file = join(home, "config.toml");
  const whole = readFileSync(file, "utf8");
  const half = `${whole}\n[mcp_servers.new`;
  writeFileSync(file, half);
  server.model.script(reply().text("still here"));
  assert.equal((await server.client.turn(thread)).status, "completed");
  const write = { keyPath: "model", value: "written", mergeStrategy: "replace" };
  await assert.rejects(server.client.request("config/value/write", write), /config\.toml/);
  assert.equal(readFileSync(file, "utf8"), half);
  writeFileSync(file, `${whole}\n[mcp_servers.new]\ncommand = "true"\n`);
  await server.client.request("config/value/write", write);
  assert.match(readFileSync(file, "utf8"), /^model = "written"[\s\S]*\[mcp_servers\.new\]\ncommand = "true"\n$/);
});
