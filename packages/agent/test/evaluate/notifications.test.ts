import assert from "node:assert/strict";
import { test } from "node:test";
import { Session, ToolInvoked, ToolResult, tool } from "@quire/agent";
import { hello, promptWith, stage, toolCall } from "../support/stage.ts";

test("4.18: what belongs to another thread or turn, or to no one, changes nothing", async () => {
  const session = new Session();
  const item = (id: string) => ({
    type: "commandExecution",
    id,
    command: "ls",
    cwd: "/",
    status: "completed",
    exitCode: 0,
    commandActions: [],
  });
  const { agent } = stage((server) =>
    server.turn({
      items: [
        { type: "notify", method: "item/completed", params: { threadId: "other", item: item("1") } },
        { type: "notify", method: "item/completed", params: { turnId: "other", item: item("2") } },
        { type: "notify", method: "codex/event/item_completed", params: { msg: {} } },
        { type: "notify", method: "brand/new", params: {} },
        {
          type: "notify",
          method: "thread/tokenUsage/updated",
          params: { threadId: "other", tokenUsage: { last: { inputTokens: 9 }, total: { inputTokens: 9 } } },
        },
        { type: "item", item: item("3") },
      ],
      text: "done",
    }),
  );
  const { usage } = await agent.evaluate(hello.bind(), { session });
  assert.deepEqual(
    session
      .slice(ToolInvoked)
      .all()
      .map(({ callId }) => callId),
    ["3"],
  );
  assert.equal(usage?.totalTokens, 110);
});

test("4.19: the text is the last message that was completed, else what was said of it, else nothing", async () => {
  const said = async (script: Parameters<ReturnType<typeof stage>["server"]["turn"]>[0]) =>
    (await stage((server) => server.turn(script)).agent.evaluate(hello.bind())).text;
  assert.equal(await said({ items: [{ type: "message", text: "first" }], text: "second", chunks: 3 }), "second");
  const delta = (itemId: string, text: string) =>
    ({ type: "notify", method: "item/agentMessage/delta", params: { itemId, delta: text } }) as const;
  assert.equal(
    await said({ items: [delta("a", "Hel"), delta("b", "Other "), delta("a", "lo"), delta("b", "end")] }),
    "Other end",
  );
  assert.equal(await said({ items: [] }), null);
});

test("4.20, 4.23, 11.18: native tools are told of, and calls of the prompt's own tools only once", async () => {
  const session = new Session();
  const ping = tool({ name: "ping", description: "Pings", run: () => ToolResult.ok(null, "pong") });
  const { agent } = stage((server) =>
    server.turn({
      items: [
        { type: "command", command: "ls", output: "a.txt" },
        { type: "command", command: "false", exitCode: 1 },
        { type: "fileChange", changes: [{ path: "/w/a.txt", kind: "add" }] },
        toolCall("ping"),
        {
          type: "item",
          item: {
            type: "dynamicToolCall",
            id: "call-ping",
            tool: "ping",
            arguments: {},
            status: "completed",
            contentItems: [],
            success: true,
          },
        },
      ],
      text: "done",
    }),
  );
  await agent.evaluate(promptWith(ping).bind(), { session });
  assert.deepEqual(
    session
      .slice(ToolInvoked)
      .all()
      .map(({ name, result }) => [name, result.success]),
    [
      ["codex:command", true],
      ["codex:command", false],
      ["codex:file_change", true],
      ["ping", true],
    ],
  );
});
