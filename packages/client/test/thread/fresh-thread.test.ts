import assert from "node:assert/strict";
import { test } from "node:test";
import { CodexClient, pages, RpcError } from "@quire/client";
import { mockResponses, realCodex, reply, skipWithoutCodex, testedVersions } from "@quire/testkit";

for (const version of testedVersions()) {
  const skip = await skipWithoutCodex(version);

  test(`a thread without a turn has an empty history, and one with a turn its own, on Codex ${version}`, {
    skip,
    timeout: 60_000,
  }, async () => {
    await using model = await mockResponses();
    model.script(reply().text("Hello."));
    await using local = await realCodex(version, { model });
    const { command, args, env, cwd } = local;
    await using codex = await CodexClient.spawn({ command: [command, ...args], env, cwd });
    const thread = await codex.thread();
    assert.deepEqual(await thread.turns().toArray(), []);
    assert.deepEqual(await thread.items().toArray(), []);
    const raw = await pages(codex, "thread/items/list", { threadId: thread.id })
      .toArray()
      .catch((error: unknown) => error);
    // An error, where there is one, does not blame the server for what a turn will mend.
    if (RpcError.is(raw)) assert.doesNotMatch(raw.message, /does not serve/);
    await thread.run("hi");
    assert.ok((await thread.items().toArray()).some(({ type }) => type === "agentMessage"));
  });
}
