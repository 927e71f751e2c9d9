import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  type AgentSandbox,
  createWorkspace,
  definePrompt,
  markdown,
  requiredFiles,
  Session,
  skill,
  ToolInvoked,
  ToolResult,
  tool,
  WorkspaceSection,
} from "@quire/agent";
import { reply, tempDir } from "@quire/testkit";
import { z } from "zod";
import { hello } from "../support/stage.ts";
import { plant } from "../workspace/files.ts";
import { type Live, onEachTarget } from "./targets.ts";

const run = (cmd: string) => reply().functionCall("exec_command", { cmd }, { callId: "call-1" });

/** What came of a command that the model ran in a sandbox. */
async function ran(live: Live, sandbox: AgentSandbox, cmd: string): Promise<{ success: boolean; output: string }> {
  const session = new Session();
  live.model.script(run(cmd), reply().text("Done."));
  await live.agent({ client: { sandbox } }).evaluate(hello.bind(), { session });
  const event = session.slice(ToolInvoked).latest();
  return { success: event?.result.success ?? false, output: event?.renderedOutput ?? "" };
}

await onEachTarget("11.16: native tools and workspaces", [], (target) => {
  test("native tools: a patch and a command are told of as what they are", async () => {
    // Models of the server's own catalogue are offered the tool.
    await using live = await target.start({ modelName: target.version === "0.118.0" ? "gpt-5.1-codex" : "gpt-5.5" });
    const session = new Session();
    const patch = "*** Begin Patch\n*** Add File: made.txt\n+made\n*** End Patch\n";
    live.model.script(reply().customToolCall("apply_patch", patch, { callId: "call-1" }), reply().text("Done."));
    const { diff } = await live.agent().evaluate(hello.bind(), { session });
    const event = session.slice(ToolInvoked).latest();
    assert.deepEqual([event?.name, event?.result.success], ["codex:file_change", true]);
    assert.match(event?.renderedOutput ?? "", /add .*made\.txt/);
    assert.equal(await readFile(join(live.cwd, "made.txt"), "utf8"), "made\n");
    assert.match(diff ?? "", /\+made/);
  });

  test("workspace: the agent works in the copy, and the host's own files stay as they are", async () => {
    await using live = await target.start();
    await using host = await tempDir("host-");
    await plant(host.path, { "repo/a.txt": "one" });
    await using workspace = await createWorkspace({
      mounts: [{ hostPath: join(host.path, "repo") }],
      allowedHostRoots: [host.path],
    });
    const prompt = definePrompt({ ns: "live", key: "w", sections: [new WorkspaceSection(workspace)] });
    live.model.script(run("cat repo/a.txt && printf two > repo/a.txt"), reply().text("Done."));
    const session = new Session();
    await live.agent({ client: { cwd: undefined } }).evaluate(prompt.bind(), { session });
    assert.match(session.slice(ToolInvoked).latest()?.renderedOutput ?? "", /one/);
    assert.equal(await workspace.filesystem.readText("repo/a.txt"), "two");
    assert.equal(await readFile(join(host.path, "repo", "a.txt"), "utf8"), "one");
    assert.match(live.model.last.inputText("user"), /`repo` \(folder, 3 bytes\)/);
  });

  test("workspace: tools work on its files, and a tool that fails takes them back", async () => {
    await using live = await target.start();
    await using workspace = await createWorkspace();
    const edit = tool({
      name: "edit",
      description: "Edits",
      input: z.object({ text: z.string(), fail: z.boolean() }),
      run: async ({ text, fail }, { filesystem }) => {
        await filesystem?.writeText("note.txt", text);
        return fail ? ToolResult.error("no") : ToolResult.ok({ text });
      },
    });
    const prompt = definePrompt({ ns: "live", key: "w", sections: [new WorkspaceSection(workspace)], tools: [edit] });
    live.model.script(
      reply().functionCall("edit", { text: "good", fail: false }, { callId: "c1" }),
      reply().functionCall("edit", { text: "bad", fail: true }, { callId: "c2" }),
      reply().text("Done."),
    );
    await live.agent({ client: { cwd: undefined } }).evaluate(prompt.bind());
    assert.equal(await workspace.filesystem.readText("note.txt"), "good");
  });

  test("workspace: the work is done when the files are there", async () => {
    await using live = await target.start();
    await using workspace = await createWorkspace();
    const prompt = definePrompt({
      ns: "live",
      key: "w",
      sections: [new WorkspaceSection(workspace)],
      completion: requiredFiles(["report.md"]),
    });
    live.model.script(reply().text("Am I done?"), run("printf x > report.md"), reply().text("Now I am."));
    const { text, turnIds } = await live.agent({ client: { cwd: undefined } }).evaluate(prompt.bind());
    assert.deepEqual([text, turnIds.length], ["Now I am.", 2]);
    assert.match(live.model.last.inputText(), /still missing: report\.md/);
  });
});

await onEachTarget("11.16, 11.19: sandbox", ["sandbox"], (target) => {
  test("sandbox: what may only be read cannot be written", async () => {
    await using live = await target.start();
    await ran(live, "read-only", "touch made.txt");
    assert.ok(!existsSync(join(live.cwd, "made.txt")));
    assert.equal((await ran(live, "danger-full-access", "touch made.txt")).success, true);
    assert.ok(existsSync(join(live.cwd, "made.txt")));
  });

  test("sandbox: the workspace can be written, what lies beside it not", async () => {
    await using live = await target.start();
    // Not below the temporary folder, which may be written too.
    const beside = await mkdtemp("/var/tmp/quire-beside-");
    try {
      const { success } = await ran(live, "workspace-write", `touch inside.txt; touch ${beside}/outside.txt`);
      assert.equal(success, false);
      assert.ok(existsSync(join(live.cwd, "inside.txt")));
      assert.deepEqual(readdirSync(beside), []);
    } finally {
      await rm(beside, { recursive: true });
    }
  });

  for (const [sandbox, isOpen] of [
    ["workspace-write", false],
    ["danger-full-access", true],
  ] as const) {
    test(`network: ${isOpen ? "there is one without a sandbox" : "there is none in a sandbox"}`, async () => {
      await using live = await target.start();
      let visits = 0;
      const server = createServer((socket) => {
        visits++;
        socket.end("welcome");
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as { port: number };
      try {
        const { success } = await ran(live, sandbox, `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3'`);
        assert.deepEqual([success, visits], [isOpen, isOpen ? 1 : 0]);
      } finally {
        server.close();
      }
    });
  }
});

await onEachTarget("11.16, 12.2: skills", ["skills", "process"], (target) => {
  test("skills: the agent knows them, and their home is gone afterwards", async () => {
    await using live = await target.start();
    await using host = await tempDir("host-");
    await plant(host.path, {
      "deploy/SKILL.md": "---\nname: deploy\ndescription: How to deploy the zeppelin\n---\nFly it.\n",
      "deploy/extra.txt": "more",
    });
    const prompt = definePrompt({
      ns: "live",
      key: "s",
      sections: [markdown({ key: "a", title: "A", template: "Deploy.", skills: [skill(join(host.path, "deploy"))] })],
    });
    live.model.script(run('cat "$HOME/.agents/skills/deploy/extra.txt"'), reply().text("Done."));
    const session = new Session();
    await live.agent().evaluate(prompt.bind(), { session });
    assert.match(JSON.stringify(live.model.last.body), /How to deploy the zeppelin/);
    assert.match(session.slice(ToolInvoked).latest()?.renderedOutput ?? "", /more/);
    assert.deepEqual(
      readdirSync(tmpdir()).filter((name) => name.startsWith("quire-home-")),
      [],
    );
  });
});

const mcpServer = fileURLToPath(new URL("../../test/support/mcp-server.mjs", import.meta.url));

await onEachTarget("8.7: MCP servers", ["mcp"], (target) => {
  test("a server that the caller configured is used, and its calls are told of", async () => {
    await using live = await target.start();
    const session = new Session();
    const mcpServers = { desk: { command: process.execPath, args: [mcpServer] } };
    const call =
      target.version === "0.118.0"
        ? reply().functionCall("mcp__desk__look_up", { word: "quire" }, { callId: "call-1" })
        : reply().functionCall("look_up", { word: "quire" }, { callId: "call-1", namespace: "mcp__desk" });
    live.model.script(call, reply().text("Done."));
    await live.agent({ client: { mcpServers } }).evaluate(hello.bind(), { session });
    const event = session.slice(ToolInvoked).latest();
    assert.equal(event?.name, "codex:mcp:desk:look_up");
    assert.equal(event?.result.success, true, event?.renderedOutput);
    assert.match(event?.renderedOutput ?? "", /quire: found/);
  });
});
