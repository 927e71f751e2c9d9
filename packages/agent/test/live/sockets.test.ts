import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { test } from "node:test";
import { CodexAgent, Session, ToolInvoked, ToolResult, tool } from "@quire/agent";
import { eventually, mockResponses, realCodex, reply } from "@quire/testkit";
import { hello, promptWith } from "../support/stage.ts";
import { onEachTarget } from "./targets.ts";

const ping = tool({ name: "ping", description: "Pings", handler: () => ToolResult.ok({ pong: true }) });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

await onEachTarget("8.1: a server that runs already", ["process"], (target) => {
  test("evaluations reach it by socket, several at once, and it goes on running", async () => {
    await using model = await mockResponses();
    await using codex = await realCodex(target.version, { model });
    const url = `ws://127.0.0.1:${await freePort()}`;
    const { command, args, env, cwd } = codex;
    const child = spawn(command, [...args, "--listen", url], { env, cwd, stdio: "ignore" });
    try {
      const agent = new CodexAgent({ client: { url, cwd }, model: { model: null } });
      await eventually(() => agent.evaluate(hello.bind()), { timeoutMs: 20_000 });
      model.when((request) => request.functionOutputs().length > 0).always(reply().text("Done."));
      model.when("Use the tools.").always(reply().functionCall("ping", {}));
      const sessions = [new Session(), new Session(), new Session()];
      const results = await Promise.all(
        sessions.map((session) => agent.evaluate(promptWith(ping).bind(), { session })),
      );
      assert.deepEqual(
        results.map(({ text }) => text),
        ["Done.", "Done.", "Done."],
      );
      assert.equal(new Set(results.map(({ threadId }) => threadId)).size, 3);
      for (const session of sessions) assert.equal(session.slice(ToolInvoked).all().length, 1);
      assert.equal(child.exitCode, null);
    } finally {
      child.kill("SIGKILL");
    }
  });
});
