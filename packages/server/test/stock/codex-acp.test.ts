/** Editors that speak the Agent Client Protocol reach our server through the adapter that they use for Codex. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assertNoProcesses, eventually, reply } from "@quire/testkit";
import { AcpEditor, type SessionUpdate } from "./support/acp.ts";
import { clientFile, skipWithoutClient } from "./support/client.ts";
import { patient, quire, type Stage, stage, stepMs } from "./support/stage.ts";

const name = "@agentclientprotocol/codex-acp";

interface Editing {
  readonly editor: AcpEditor;
  /** Sends what the user wrote; resolves with the reason why the agent stopped. */
  prompt(text: string): Promise<string>;
  cancel(): void;
}

async function open({ env, cwd }: Stage): Promise<Editing> {
  // The adapter's other modes let a model decide over what is asked.
  const variables = { ...env, CODEX_PATH: quire, NO_BROWSER: "1", INITIAL_AGENT_MODE: "workspace-write" };
  const editor = new AcpEditor([Bun.which("node") ?? "node", clientFile(name) ?? ""], variables, cwd);
  await editor.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await editor.request<{ sessionId: string }>("session/new", { cwd, mcpServers: [] });
  return {
    editor,
    prompt: async (text) => {
      const prompt = [{ type: "text", text }];
      return (await editor.request<{ stopReason: string }>("session/prompt", { sessionId, prompt })).stopReason;
    },
    cancel: () => editor.notify("session/cancel", { sessionId }),
  };
}

/** What an update adds to the output of a command. */
function printed({ _meta: meta }: SessionUpdate): string {
  return (meta as { terminal_output_delta?: { data: string } } | undefined)?.terminal_output_delta?.data ?? "";
}

describe(name, { skip: skipWithoutClient(name) }, () => {
  test("an editor talks, decides over commands, and cancels a turn with its command", patient, async () => {
    await using set = await stage();
    const { editor, prompt, cancel } = await open(set);
    await using _ = editor;
    set.mock.script(reply().text("Good morning.", { chunks: 4 }));
    assert.equal(await prompt("hello"), "end_turn");
    assert.equal(editor.text, "Good morning.");

    const command = {
      cmd: "echo ran > ran.txt; echo loud",
      sandbox_permissions: "require_escalated",
      justification: "why",
    };
    editor.decide = () => "allow_once";
    set.mock.script(reply().functionCall("exec_command", command, { callId: "call_yes" }), reply().text(" It ran."));
    assert.equal(await prompt("run it"), "end_turn");
    assert.equal(editor.asked.length, 1);
    assert.equal(editor.asked[0]?.toolCall.toolCallId, "call_yes");
    assert.ok(existsSync(join(set.cwd, "ran.txt")));
    assert.match(editor.text, /It ran\.$/);
    const told = editor.updates.filter(({ toolCallId }) => toolCallId === "call_yes");
    assert.ok(told.some(({ status }) => status === "completed"));
    // What it printed comes with its end or, if there was time for that, before.
    assert.equal(told.map(printed).join(""), "loud\n");

    editor.decide = () => "reject_once";
    const refused = { ...command, cmd: "echo ran > refused.txt" };
    set.mock.script(reply().functionCall("exec_command", refused, { callId: "call_no" }));
    assert.equal(await prompt("run this too"), "cancelled");
    assert.equal(editor.asked.length, 2);
    assert.equal(existsSync(join(set.cwd, "refused.txt")), false);

    const slow = { cmd: "touch begun; sleep 60", yield_time_ms: 30_000 };
    set.mock.script(reply().functionCall("exec_command", slow, { callId: "call_slow" }));
    const stopped = prompt("take your time");
    await eventually(() => existsSync(join(set.cwd, "begun")), { timeoutMs: stepMs });
    cancel();
    assert.equal(await stopped, "cancelled");
    await editor.until(({ toolCallId, status }) => toolCallId === "call_slow" && status === "failed");
    await editor[Symbol.asyncDispose]();
    await assertNoProcesses({ tag: set.tag });
  });
});
