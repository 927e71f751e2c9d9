/** `codex mcp-server`: an agent as a tool of MCP clients, which answer for what needs approval. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type AnyMethods, Connection, type Transport } from "@quire/jsonrpc";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import { mockResponses, reply } from "@quire/testkit";
import { type Place, place, slow } from "../support/quire.ts";

type Result = { content: { text: string }[]; structuredContent: { threadId: string }; isError?: boolean };

/** An MCP client that notes events and questions, and answers these as told. */
async function connect({ codex, cwd, env }: Place, answer: () => object) {
  const events: { type: string }[] = [];
  const asked: Record<string, unknown>[] = [];
  const raw: string[] = [];
  const child = spawnTransport({ command: codex, args: ["mcp-server"], cwd, env });
  const transport: Transport = {
    start: (sink) =>
      child.start({
        message: (text) => {
          raw.push(text);
          sink.message(text);
        },
        closed: (error) => sink.closed(error),
      }),
    send: (text) => child.send(text),
    get buffered() {
      return child.buffered;
    },
    drain: () => child.drain(),
    pause: () => child.pause(),
    resume: () => child.resume(),
    close: () => child.close(),
  };
  const connection = new Connection<AnyMethods, AnyMethods>(transport, {
    onRequest: (params) => {
      asked.push(params as Record<string, unknown>);
      return answer();
    },
    onNotification: ({ params }) => void events.push((params as { msg: { type: string } }).msg),
  });
  const clientInfo = { name: "test", version: "1" };
  await connection.request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  connection.notify("notifications/initialized");
  const call = (name: string, args: object) =>
    connection.request("tools/call", { name, arguments: args }) as Promise<Result>;
  return { connection, call, events, asked, raw, [Symbol.asyncDispose]: () => connection.close() };
}

describe("the MCP server", () => {
  test("has the tools of Codex, which answer with the thread and tell what happens", slow, async () => {
    await using mock = await mockResponses();
    await using here = await place(mock);
    await using client = await connect(here, () => ({}));
    const { tools } = (await client.connection.request("tools/list", {})) as { tools: { name: string }[] };
    assert.deepEqual(
      tools.map(({ name }) => name),
      ["codex", "codex-reply"],
    );
    mock.script(reply().text("One."), reply().functionCall("exec_command", { cmd: "echo hi" }), reply().text("Two."));
    const first = await client.call("codex", { prompt: "begin", model: "other" });
    assert.equal(mock.last.body.model, "other");
    const { threadId } = first.structuredContent;
    assert.deepEqual(first, {
      content: [{ type: "text", text: "One." }],
      structuredContent: { threadId, content: "One." },
    });
    client.events.length = 0;
    const second = await client.call("codex-reply", { conversationId: threadId, prompt: "continue" });
    assert.equal(second.content[0]?.text, "Two.");
    const types = client.events.map(({ type }) => type).filter((type) => !/delta|token_count/.test(type));
    assert.deepEqual(types, [
      "session_configured",
      "task_started",
      "user_message",
      "exec_command_begin",
      "exec_command_end",
      "agent_message",
      "task_complete",
    ]);
    assert.ok(client.raw.every((text) => JSON.parse(text).jsonrpc === "2.0"));
  });

  test("asks its client what needs approval, and takes anything but a yes for a no", slow, async () => {
    await using mock = await mockResponses();
    await using here = await place(mock, { approval_policy: "on-request", sandbox_mode: "read-only" });
    let answer: object = { decision: "denied" };
    await using client = await connect(here, () => answer);
    const run = (file: string) => {
      const call = { cmd: `touch ${file}`, sandbox_permissions: "require_escalated", justification: "why" };
      mock.script(reply().functionCall("exec_command", call), reply().text("Done."));
      return client.call("codex", { prompt: "go" });
    };
    const isThere = (file: string) => existsSync(join(here.cwd, file));
    await run("denied");
    answer = { what: "ever" };
    await run("unclear");
    answer = { decision: "approved" };
    await run("approved");
    answer = { action: "accept", content: {} };
    await run("accepted");
    assert.deepEqual(["denied", "unclear", "approved", "accepted"].map(isThere), [false, false, true, true]);
    assert.equal(client.asked.length, 4);
    assert.equal(client.asked[0]?.codex_elicitation, "exec-approval");
    const message = String(client.asked[0]?.message);
    assert.match(message, /^Allow Codex to run `\/bin\/bash -lc 'touch denied'` in `.*`\?\nThe reason given: `why`$/);
    assert.deepEqual(client.asked[0]?.codex_command, ["/bin/bash", "-lc", "touch denied"]);
  });

  test("asks about a patch with all that it changes", slow, async () => {
    await using mock = await mockResponses();
    await using here = await place(mock, { approval_policy: "untrusted", sandbox_mode: "read-only" });
    await using client = await connect(here, () => ({ decision: "approved" }));
    const patch = "*** Begin Patch\n*** Add File: new.txt\n+shown\n*** End Patch\n";
    mock.script(reply().customToolCall("apply_patch", patch), reply().text("Done."));
    await client.call("codex", { prompt: "go" });
    assert.match(String(client.asked[0]?.message), /\nadd `.*\/new\.txt`\n│ shown(\n|$)/);
    assert.ok(existsSync(join(here.cwd, "new.txt")));
  });

  test("says what was wrong with a call, and that a turn failed", slow, async () => {
    await using mock = await mockResponses();
    await using here = await place(mock);
    await using client = await connect(here, () => ({}));
    assert.equal((await client.call("codex", { prompt: 3 })).isError, true);
    assert.equal((await client.call("codex-reply", { prompt: "x" })).isError, true);
    assert.match((await client.call("other", {})).content[0]?.text ?? "", /Unknown tool 'other'/);
    mock.script(reply().failed("server_error", "boom"));
    const failed = await client.call("codex", { prompt: "x" });
    assert.equal(failed.isError, true);
    assert.match(failed.content[0]?.text ?? "", /boom/);
  });
});
