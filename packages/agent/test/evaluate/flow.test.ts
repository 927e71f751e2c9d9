import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import {
  CodexThread,
  createWorkspace,
  definePrompt,
  markdown,
  PromptEvaluationError,
  PromptExecuted,
  PromptRendered,
  provide,
  RenderedTools,
  resourceKey,
  Session,
  ToolResult,
  type TranscriptEntry,
  tool,
  WorkspaceSection,
} from "@quire/agent";
import { recordTypeOf } from "@quire/agent/sessions";
import { gate } from "@quire/testkit";
import { z } from "zod";
import { errorOf, hello, paramsOf, promptWith, stage } from "../support/stage.ts";

test("4.8: an evaluation gives name, text and output", async () => {
  const { agent } = stage((server) => server.turn({ text: "Hello!" }));
  const result = await agent.evaluate(hello.bind());
  assert.equal(result.promptName, "test:hello");
  assert.equal(result.text, "Hello!");
  assert.equal(result.output, null);
});

test("4.10, 11.18: rendered and executed are told exactly once, in this order", async () => {
  const session = new Session();
  const seen: string[] = [];
  const note = (event: object) => void seen.push(recordTypeOf(event)?.typeName ?? "");
  session.dispatcher.subscribe(PromptRendered, note);
  session.dispatcher.subscribe(RenderedTools, note);
  session.dispatcher.subscribe(PromptExecuted, note);
  const { agent, servers } = stage((server) => {
    server.on("turn/start", () => {
      seen.push("turn/start");
      throw new Error("not in this test");
    });
  });
  await assert.rejects(agent.evaluate(hello.bind(), { session }));
  assert.deepEqual(seen.splice(0), ["quire.promptRendered", "quire.renderedTools", "turn/start"]);
  assert.equal(servers.length, 1);
  await stage().agent.evaluate(hello.bind(), { session });
  assert.deepEqual(seen, ["quire.promptRendered", "quire.renderedTools", "quire.promptExecuted"]);
  const [first, second] = session.slice(PromptRendered).all();
  assert.match(second?.renderedPrompt ?? "", /Say hello\./);
  assert.notEqual(first?.eventId, second?.eventId);
});

test("4.12: the tools that went with a prompt are told, and belong to it", async () => {
  const session = new Session();
  const add = tool({
    name: "add",
    description: "Adds",
    input: z.object({ a: z.number() }),
    run: ({ a }) => ToolResult.ok({ a }),
  });
  await stage().agent.evaluate(promptWith(add).bind(), { session });
  const told = session.slice(RenderedTools).latest();
  assert.equal(told?.renderEventId, session.slice(PromptRendered).latest()?.eventId);
  assert.deepEqual(
    told?.tools.map(({ name, description }) => ({ name, description })),
    [{ name: "add", description: "Adds" }],
  );
  assert.match(JSON.stringify(told?.tools[0]?.parameters), /"additionalProperties":false/);
});

test("4.12, 4.26: whoever listens and fails does not end the evaluation, and is logged", async () => {
  const warnings: string[] = [];
  const session = new Session();
  session.dispatcher.subscribe(RenderedTools, () => {
    throw new Error("broken subscriber");
  });
  const { agent } = stage(() => {}, { logger: { warn: (message) => void warnings.push(message) } });
  assert.equal((await agent.evaluate(hello.bind(), { session })).text, "ok");
  assert.ok(warnings.length > 0);
});

test("4.13: the agent works in the given folder, in the prompt's workspace, or in the current one", async () => {
  const given = stage(() => {}, { client: { cwd: "/given" } });
  await using workspace = await createWorkspace();
  const prompt = definePrompt({ ns: "t", key: "w", sections: [new WorkspaceSection(workspace)] });
  await given.agent.evaluate(prompt.bind());
  assert.equal((await paramsOf(given.server, "thread/start")).cwd, "/given");
  const own = stage();
  await own.agent.evaluate(prompt.bind());
  assert.equal((await paramsOf(own.server, "thread/start")).cwd, workspace.dir);
  await own.agent.evaluate(hello.bind());
  assert.equal((await paramsOf(own.server, "thread/start")).cwd, realpathSync(process.cwd()));
});

test("4.14, 4.15, 4.16, 4.17: what is sent, and in which order", async () => {
  const add = tool({
    name: "add",
    description: "Adds",
    input: z.object({ a: z.number() }),
    run: ({ a }) => ToolResult.ok({ a }),
  });
  const { agent, servers } = stage(() => {}, {
    client: { cwd: "/w", sandbox: "workspace-write" },
    model: { effort: "medium" },
  });
  await agent.evaluate(promptWith(add).bind());
  const [server] = servers;
  assert.deepEqual(
    server?.received.map(({ method }) => method),
    ["initialize", "initialized", "thread/start", "turn/start"],
  );
  const [initialize, , start, turn] = server?.received ?? [];
  assert.deepEqual(initialize?.params, {
    clientInfo: { name: "quire", title: "Quire Agent", version: "0.1.0" },
    capabilities: { experimentalApi: true },
  });
  const { dynamicTools, ...rest } = (start?.params ?? {}) as {
    dynamicTools: { name: string; description: string; inputSchema: unknown }[];
  };
  assert.deepEqual(rest, {
    cwd: "/w",
    approvalPolicy: "never",
    model: "gpt-5.1-codex",
    sandbox: "workspace-write",
    ephemeral: false,
  });
  assert.deepEqual(
    dynamicTools.map(({ name, description }) => [name, description]),
    [["add", "Adds"]],
  );
  const { threadId, input, ...settings } = (turn?.params ?? {}) as {
    threadId: string;
    input: { type: string; text: string }[];
  };
  assert.ok(threadId);
  assert.equal(input.length, 1);
  assert.equal(input[0]?.type, "text");
  assert.match(input[0]?.text ?? "", /Use the tools\./);
  assert.deepEqual(settings, { effort: "medium" }, "what is not set is left out");
});

test("4.27: a stream that ends without the end of the turn is a bad response, even after text", async () => {
  const scene = stage((server) =>
    server.turn({
      items: [
        { type: "message", text: "half of it" },
        { type: "wait", until: gate() },
      ],
      text: "the rest",
    }),
  );
  const onTranscript = ({ entryType }: TranscriptEntry) => {
    if (entryType === "assistant") setImmediate(() => void scene.server.close());
  };
  const error = await errorOf(scene.agent.evaluate(hello.bind(), { onTranscript }));
  assert.ok(error instanceof PromptEvaluationError);
  assert.equal(error.phase, "response");
});

test("4.28: executed is told on success only, with the usage", async () => {
  const session = new Session();
  const failing = stage((server) => server.turn({ error: { message: "no", codexErrorInfo: "other" } }));
  await assert.rejects(failing.agent.evaluate(hello.bind(), { session }));
  assert.equal(session.slice(PromptExecuted).all().length, 0);
  const { agent } = stage((server) => server.turn({ text: "yes", usage: { input: 5, output: 2 } }));
  await agent.evaluate(hello.bind(), { session, runContext: { runId: "r1" } });
  const [event] = session.slice(PromptExecuted).all();
  assert.deepEqual(event?.result, { promptName: "test:hello", text: "yes", output: null });
  assert.equal(event?.usage?.totalTokens, 7);
  assert.deepEqual(event?.runContext, { runId: "r1" });
  assert.equal(event?.sessionId, session.id);
});

test("1.20, 4.29, 11.20: resources that evaluate opened are closed, those that the caller opened live on", async () => {
  const closed: string[] = [];
  const Thing = resourceKey<AsyncDisposable>("thing");
  const prompt = definePrompt({
    ns: "t",
    key: "r",
    sections: [markdown({ key: "a", title: "A", template: "Hi" })],
    resources: [
      provide(Thing, {
        create: () => ({ [Symbol.asyncDispose]: async () => void closed.push("closed") }),
        eager: true,
      }),
    ],
  }).bind();
  const { agent } = stage();
  await agent.evaluate(prompt);
  assert.deepEqual(closed.splice(0), ["closed"]);
  {
    await using _lease = await prompt.resources.enter();
    await agent.evaluate(prompt);
    await agent.evaluate(prompt);
    assert.deepEqual(closed, []);
  }
  assert.deepEqual(closed.splice(0), ["closed"]);
  const failing = stage((server) => server.on("thread/start", new Error("no")));
  await assert.rejects(failing.agent.evaluate(prompt));
  assert.deepEqual(closed, ["closed"]);
});

test("3.19: the session knows the thread afterwards", async () => {
  const session = new Session();
  const { agent } = stage(() => {}, { client: { cwd: "/w" } });
  const { threadId, toolsFingerprint } = await agent.evaluate(hello.bind(), { session });
  assert.deepEqual(
    { ...session.slice(CodexThread).latest() },
    { threadId, cwd: "/w", workspaceFingerprint: null, toolsFingerprint },
  );
});
