import assert from "node:assert/strict";
import { test } from "node:test";
import { reply } from "@quire/testkit";
import { onEachCodex, spawned } from "./support.ts";

await onEachCodex("sub-agents", "0.141.0", (version) => {
  test("a sub-agent's thread is found from its parent, with its events, nickname and answer", async () => {
    await using fixture = await spawned(version);
    const { mock, client } = fixture;
    const agents = { namespace: "multi_agent_v1" };
    mock
      .when((request) => request.inputText().includes("CHILD TASK") && !request.inputText().includes("PARENT TASK"))
      .always(reply().text("child answer", { chunks: 2 }));
    mock.script(
      reply().functionCall("spawn_agent", { message: "CHILD TASK" }, { callId: "spawn", ...agents }),
      (request) => {
        const { agent_id } = JSON.parse(request.functionOutput("spawn") ?? "{}") as { agent_id: string };
        const wait = { targets: [agent_id], timeout_ms: 50_000 };
        return reply().functionCall("wait_agent", wait, { callId: "wait", ...agents });
      },
      reply().text("parent answer"),
    );
    const thread = await client.thread();
    const ended = new Set<string>();
    const byThread = new Map<string, string>();
    const watch = (async () => {
      for await (const event of thread.events({ children: true })) {
        // The events of two threads come in any order: it is over when both have ended.
        if (event.method === "turn/completed" && ended.add(event.params.threadId).size === 2) return;
        if (event.method !== "item/agentMessage/delta") continue;
        const { threadId, delta } = event.params;
        byThread.set(threadId, (byThread.get(threadId) ?? "") + delta);
      }
    })();
    const { agentMessage } = await thread.run("PARENT TASK");
    await watch;
    assert.equal(agentMessage, "parent answer");
    const [child, ...others] = thread.children;
    assert.equal(others.length, 0);
    assert.ok(child);
    const data = await child.read();
    assert.equal(data.parentThreadId, thread.id);
    assert.equal(typeof data.agentNickname, "string");
    assert.equal(byThread.get(child.id), "child answer");
    assert.equal(byThread.get(thread.id), "parent answer");
  });
});
