import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CodexClient } from "@quire/client";
import { memoryPair } from "@quire/jsonrpc/memory";
import { codexVersion } from "@quire/protocol/version";
import { createServer } from "@quire/server";
import { compatWith, UnknownCodex } from "@quire/server/startup";
import { reply } from "@quire/testkit";
import { testHome } from "../support/test-server.ts";

describe("a server that stands for Codex 0.118", () => {
  test("says so, and its clients meet nothing that came later", async () => {
    await using place = await testHome();
    const { client } = await place.open({ compat: compatWith("0.118") });
    const { userAgent } = await initialized(place.home);
    assert.match(userAgent, /\/0\.118\.0 \(/);
    await assert.rejects(
      client.request("thread/turns/list", { threadId: crypto.randomUUID() }),
      /unknown variant|not found/i,
    );
    place.model.script(reply().text("hello"));
    const threadId = await client.thread();
    await client.request("turn/start", { threadId, input: [{ type: "text", text: "hi" }] });
    await client.waitFor("turn/completed");
    const { thread } = await client.request("thread/read", { threadId, includeTurns: true });
    assert.equal(thread.turns.length, 1);
    const { hasMethod } = compatWith("0.118");
    const later = client.received.filter(({ method }) => !hasMethod(method));
    assert.deepEqual(later, []);
    assert.equal(hasMethod("thread/readState/changed"), false);
  });

  test("serves the client as that version does", async () => {
    await using place = await testHome();
    const server = createServer({ home: place.home, compat: compatWith("0.118.0"), env: { PATH: process.env.PATH } });
    const [ours, theirs] = memoryPair();
    server.accept(theirs);
    const codex = new CodexClient({ transport: ours });
    await codex.connect();
    assert.equal(codex.serverVersion, "0.118.0");
    place.model.script(reply().text("hello"));
    const thread = await codex.thread({ cwd: place.cwd });
    const turn = await thread.run("hi");
    assert.equal(turn.agentMessage, "hello");
    await codex.close();
    await server.close();
  });
});

async function initialized(home: string): Promise<{ readonly userAgent: string }> {
  const server = createServer({ home, compat: compatWith("0.118") });
  const [ours, theirs] = memoryPair();
  server.accept(theirs);
  const answered = new Promise<string>((resolve) => ours.start({ message: resolve, closed: () => undefined }));
  ours.send(JSON.stringify({ id: 1, method: "initialize", params: { clientInfo: { name: "x", version: "1" } } }));
  const { result } = JSON.parse(await answered);
  await server.close();
  return result;
}

test("a version that no server can stand for is refused with those that one can", () => {
  for (const version of ["0.5", "99.0.0", "new", "0.118.0; rm"]) assert.throws(() => compatWith(version), UnknownCodex);
  assert.throws(() => compatWith("99.0"), new RegExp(`from 0\\.98\\.0 to ${codexVersion.replaceAll(".", "\\.")}`));
  assert.equal(compatWith(codexVersion).hasMethod("thread/prepareApprovedPlan"), true);
});
