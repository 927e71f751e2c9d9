import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import {
  AgentConfigError,
  CodexAgent,
  CodexThread,
  createWorkspace,
  definePrompt,
  PromptEvaluationError,
  Session,
  ToolResult,
  tool,
  WorkspaceSection,
} from "@quire/agent";
import { RpcError } from "@quire/client";
import type { ScriptedServer } from "@quire/testkit";
import { tempDir } from "@quire/testkit";
import { errorOf, hello, paramsOf, promptWith, stage } from "../support/stage.ts";

/** Each evaluation has a server of its own here, which must be told what the one before had stored. */
const remembers = (server: ScriptedServer) =>
  server
    .on("thread/resume", ({ threadId }: { threadId: string }) => {
      void Promise.resolve().then(() => server.notify("thread/started", { thread: { id: threadId, turns: [] } }));
      return { thread: { id: threadId, turns: [] } };
    })
    .on("turn/start", ({ threadId }: { threadId: string }) => {
      const turn = { id: "turn-1", items: [], itemsView: "notLoaded", status: "inProgress", error: null };
      setImmediate(() => {
        server.notify("turn/started", { threadId, turn });
        server.notify("turn/completed", { threadId, turn: { ...turn, status: "completed" } });
      });
      return { turn };
    });

const methods = (server: ScriptedServer | undefined) => server?.received.map(({ method }) => method).slice(2);
const reusing = { client: { reuseThread: true, cwd: "/w" } };

test("8.11: a thread is started with what is set, and nothing else", async () => {
  const scene = stage(() => {}, { client: { cwd: "/w", ephemeral: true }, model: { model: "m" } });
  const { threadId } = await scene.agent.evaluate(hello.bind());
  assert.deepEqual(await paramsOf(scene.server, "thread/start"), {
    cwd: "/w",
    approvalPolicy: "never",
    model: "m",
    ephemeral: true,
  });
  assert.equal((await paramsOf(scene.server, "turn/start")).threadId, threadId);
});

test("8.12, 11.18: the next evaluation goes on with the session's thread", async () => {
  const session = new Session();
  const scene = stage((server, index) => void (index > 0 && remembers(server)), reusing);
  const first = await scene.agent.evaluate(hello.bind(), { session });
  const second = await scene.agent.evaluate(hello.bind(), { session });
  assert.equal(second.threadId, first.threadId);
  assert.deepEqual(methods(scene.servers[1]), ["thread/resume", "turn/start"]);
});

test("8.12: without the setting, and without a thread in the session, a new one is started", async () => {
  const session = new Session();
  const scene = stage(() => {}, { client: { cwd: "/w" } });
  await scene.agent.evaluate(hello.bind(), { session });
  await scene.agent.evaluate(hello.bind(), { session });
  assert.deepEqual(methods(scene.server), ["thread/start", "turn/start"]);
  const other = stage(() => {}, reusing);
  await other.agent.evaluate(hello.bind(), { session: new Session() });
  assert.deepEqual(methods(other.server), ["thread/start", "turn/start"]);
});

test("8.12, 11.20: another folder, another workspace or other tools mean another thread", async () => {
  await using host = await tempDir("host-");
  const session = new Session();
  await stage(() => {}, reusing).agent.evaluate(hello.bind(), { session });
  const stored = session.slice(CodexThread).latest();
  assert.ok(stored);
  const again = async (client: object, prompt: Parameters<CodexAgent["evaluate"]>[0]) => {
    session.seed(CodexThread(stored));
    const scene = stage(() => {}, { client: { reuseThread: true, cwd: "/w", ...client } });
    await scene.agent.evaluate(prompt, { session });
    assert.notEqual(session.slice(CodexThread).latest(), stored, "the session knows the new one");
    return methods(scene.server);
  };
  const fresh = ["thread/start", "turn/start"];
  assert.deepEqual(await again({ cwd: "/other" }, hello.bind()), fresh);
  const ping = tool({ name: "ping", description: "Pings", run: () => ToolResult.ok() });
  assert.deepEqual(await again({}, promptWith(ping).bind()), fresh);
  await using workspace = await createWorkspace({ mounts: [{ hostPath: join(host.path) }] });
  const prompt = definePrompt({ ns: "test", key: "hello", sections: [new WorkspaceSection(workspace)] });
  assert.deepEqual(await again({}, prompt.bind()), fresh);
});

test("8.12: a thread that cannot be resumed is replaced by a new one", async () => {
  const session = new Session();
  const warnings: string[] = [];
  session.seed(
    CodexThread({ threadId: "gone", cwd: "/w", workspaceFingerprint: null, toolsFingerprint: await noTools() }),
  );
  const scene = stage(
    (server) => server.on("thread/resume", new RpcError({ code: -32600, message: "no rollout found" })),
    {
      ...reusing,
      logger: { warn: (message) => void warnings.push(message) },
    },
  );
  const { threadId } = await scene.agent.evaluate(hello.bind(), { session });
  assert.deepEqual(methods(scene.server), ["thread/resume", "thread/start", "turn/start"]);
  assert.equal(session.slice(CodexThread).latest()?.threadId, threadId);
  assert.match(warnings.join(), /gone could not be resumed/);
});

async function noTools(): Promise<string> {
  return (await stage().agent.evaluate(hello.bind())).toolsFingerprint;
}

test("8.13: tools are compared with all that is said of them", async () => {
  const ping = (description: string) => tool({ name: "ping", description, run: () => ToolResult.ok() });
  const prints = await Promise.all(
    ["Pings", "Pings twice"].map(
      async (text) => (await stage().agent.evaluate(promptWith(ping(text)).bind())).toolsFingerprint,
    ),
  );
  assert.notEqual(prints[0], prints[1]);
});

test("8.14: threads that are not kept cannot be reused", () => {
  assert.throws(() => new CodexAgent({ client: { reuseThread: true, ephemeral: true } }), AgentConfigError);
});

test("8.15: a resumed thread gets the settings of now", async () => {
  const scene = stage(remembers, {
    client: { cwd: "/w", sandbox: "read-only", mcpServers: { a: { url: "http://x" } } },
    model: { model: "m" },
  });
  await scene.agent.evaluate(hello.bind(), { resume: "thread-9" });
  assert.deepEqual(await paramsOf(scene.server, "thread/resume"), {
    threadId: "thread-9",
    cwd: "/w",
    approvalPolicy: "never",
    model: "m",
    sandbox: "read-only",
    config: { mcp_servers: { a: { url: "http://x" } } },
  });
});

test("8.16: an evaluation has one thread", async () => {
  const scene = stage();
  await scene.agent.evaluate(hello.bind());
  assert.equal(scene.server.received.filter(({ method }) => method === "thread/start").length, 1);
});

test("12.13: an evaluation can be forked, and both go on with what was said before", async () => {
  const scene = stage((server, index) => {
    if (index === 0) return;
    remembers(server).on("thread/fork", { thread: { id: "forked", turns: [] } });
  });
  const first = await scene.agent.evaluate(hello.bind());
  const fork = await scene.agent.evaluate(hello.bind(), { fork: first });
  assert.equal(fork.threadId, "forked");
  assert.equal((await paramsOf(scene.server, "thread/fork")).threadId, first.threadId);
  assert.equal((await paramsOf(scene.server, "turn/start")).threadId, "forked");
  assert.equal((await scene.agent.evaluate(hello.bind(), { resume: first })).threadId, first.threadId);
});

test("12.13: a thread with other tools than the prompt is refused, and so is both at once", async () => {
  const scene = stage(remembers);
  const other = { threadId: "t", toolsFingerprint: "0" };
  const error = await errorOf(scene.agent.evaluate(hello.bind(), { resume: other }));
  assert.ok(error instanceof PromptEvaluationError);
  assert.match(error.message, /other tools/);
  assert.match(String(await errorOf(scene.agent.evaluate(hello.bind(), { resume: "a", fork: "b" }))), /alternatives/);
});
