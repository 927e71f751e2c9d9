import assert from "node:assert/strict";
import { test } from "node:test";
import { CodexAgent, Session, ToolInvoked, ToolResult, tool } from "@quire/agent";
import { listen, mockResponses, realCodex, reply } from "@quire/testkit";
import { hello, promptWith } from "../support/stage.ts";
import { onEachTarget } from "./targets.ts";

const ping = tool({ name: "ping", description: "Pings", run: () => ToolResult.ok({ pong: true }) });

await onEachTarget("8.1: a server that runs already", ["process"], (target) => {
  test("evaluations reach it by socket, several at once, and it goes on running", async () => {
    await using model = await mockResponses();
    await using codex = await realCodex(target.version, { model });
    await using server = await listen(codex);
    const agent = new CodexAgent({
      client: { url: server.url, cwd: codex.cwd, startupTimeoutMs: 60_000 },
      model: { model: null },
    });
    await agent.evaluate(hello.bind());
    model.when((request) => request.functionOutputs().length > 0).always(reply().text("Done."));
    model.when("Use the tools.").always(reply().functionCall("ping", {}));
    const sessions = [new Session(), new Session(), new Session()];
    const results = await Promise.all(sessions.map((session) => agent.evaluate(promptWith(ping).bind(), { session })));
    assert.deepEqual(
      results.map(({ text }) => text),
      ["Done.", "Done.", "Done."],
    );
    assert.equal(new Set(results.map(({ threadId }) => threadId)).size, 3);
    for (const session of sessions) assert.equal(session.slice(ToolInvoked).all().length, 1);
    await agent.evaluate(hello.bind());
  });
});
