import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type AgentClientConfig,
  AgentConfigError,
  type AgentModelConfig,
  CodexAgent,
  PromptEvaluationError,
  Session,
  ToolInvoked,
} from "@quire/agent";
import { errorOf, hello, paramsOf, stage } from "../support/stage.ts";

test("8.1: the defaults of the client", () => {
  const { command, cwd, env, suppressStderr, startupTimeoutMs, approvalPolicy, sandbox, ...rest } = new CodexAgent()
    .client;
  assert.deepEqual(command, ["codex", "app-server"]);
  assert.deepEqual([cwd, env, suppressStderr, startupTimeoutMs], [undefined, undefined, true, 10_000]);
  assert.deepEqual([approvalPolicy, sandbox], ["never", undefined]);
  const { auth, reuseThread, mcpServers, ephemeral, clientName, clientVersion } = rest;
  assert.deepEqual([auth, reuseThread, mcpServers, ephemeral], [undefined, false, undefined, false]);
  assert.deepEqual([clientName, clientVersion], ["quire", "0.1.0"]);
});

test("8.2: the defaults of the model", () => {
  assert.deepEqual(new CodexAgent().model, { model: "gpt-5.1-codex" });
  assert.equal(new CodexAgent({ model: { model: "gpt-5.5" } }).model.model, "gpt-5.5");
});

test("8.2: a model of null is left to the server", async () => {
  const { agent, servers } = stage(() => {}, { model: { model: null } });
  await agent.evaluate(hello.bind());
  assert.ok(!Object.hasOwn(servers[0]?.received[2]?.params ?? {}, "model"));
});

test("8.3: words that are none of those that an option may be are refused", () => {
  const good: AgentClientConfig[] = [
    ...(["never", "untrusted", "on-failure", "on-request"] as const).map((approvalPolicy) => ({ approvalPolicy })),
    ...(["read-only", "workspace-write", "danger-full-access"] as const).map((sandbox) => ({ sandbox })),
  ];
  for (const client of good) assert.ok(new CodexAgent({ client }));
  const models: AgentModelConfig[] = [
    ...(["none", "minimal", "low", "medium", "high", "xhigh"] as const).map((effort) => ({ effort })),
    ...(["auto", "concise", "detailed", "none"] as const).map((summary) => ({ summary })),
    ...(["none", "friendly", "pragmatic"] as const).map((personality) => ({ personality })),
  ];
  for (const model of models) assert.ok(new CodexAgent({ model }));
  const bad = [{ approvalPolicy: "always" }, { sandbox: "none" }, { autoApprove: ["all"] }];
  for (const client of bad as unknown as AgentClientConfig[])
    assert.throws(() => new CodexAgent({ client }), AgentConfigError);
  for (const model of [
    { effort: "huge" },
    { summary: "long" },
    { personality: "rude" },
  ] as unknown as AgentModelConfig[])
    assert.throws(() => new CodexAgent({ model }), AgentConfigError);
});

test("8.4: settings that the server has no place for are refused when they are given", () => {
  for (const name of ["seed", "stop", "presencePenalty", "frequencyPenalty"]) {
    const model = { [name]: 1 } as AgentModelConfig;
    assert.throws(
      () => new CodexAgent({ model }),
      (error) => error instanceof AgentConfigError && error.message.includes(name),
    );
  }
});

test("8.17: an option that does not exist is refused, and the message names the right one", () => {
  const refused = (options: object) => {
    try {
      new CodexAgent(options);
    } catch (error) {
      assert.ok(error instanceof AgentConfigError);
      return error.message;
    }
    return "accepted";
  };
  for (const [name, right] of [
    ["reasoning_effort", "effort"],
    ["modelReasoningEffort", "it has model, effort, summary, personality"],
    ["efort", "effort"],
    ["Summary", "summary"],
    ["temperature", "it has model, effort, summary, personality"],
  ])
    assert.equal(
      refused({ model: { [name ?? ""]: "low" } }),
      `The model has no option ${name}: ${right?.startsWith("it") ? right : `use ${right}`}`,
    );
  for (const [name, right] of [
    ["approval_policy", "approvalPolicy"],
    ["startup_timeout_s", "startupTimeoutMs"],
    ["sandbox_mode", "sandbox"],
    ["reuse_thread", "reuseThread"],
    ["codex_bin", "command"],
    ["mcpServer", "mcpServers"],
  ])
    assert.equal(refused({ client: { [name ?? ""]: 1 } }), `The client has no option ${name}: use ${right}`);
  assert.match(refused({ model: { presence_penalty: 1 } }), /does not support presence_penalty/);
  assert.match(refused({ model: { constructor: 1 } }), /no option constructor/);
  assert.equal(refused({ model: { effort: undefined, unknown: undefined } }), "accepted");
});

test("8.5: settings do not change, the caller's variables win, and a relative folder is refused", () => {
  const agent = new CodexAgent({ client: { env: { PATH: "/mine" } } });
  assert.ok(Object.isFrozen(agent.client) && Object.isFrozen(agent.model));
  assert.throws(() => new CodexAgent({ client: { cwd: "relative/path" } }), /absolute/);
  assert.throws(() => new CodexAgent({ client: { url: "ws://x", command: ["y"] } }), /alternatives/);
});

test("8.6: a program that is not there is named, with what to do about it", async () => {
  const agent = new CodexAgent({ client: { command: ["no-such-codex", "app-server"] } });
  const error = await errorOf(agent.evaluate(hello.bind()));
  assert.ok(error instanceof PromptEvaluationError);
  assert.equal(error.phase, "request");
  assert.match(error.message, /no-such-codex.*PATH/);
});

test("8.7: MCP servers go to the thread's configuration as they are", async () => {
  const mcpServers = { files: { command: "/bin/files", args: ["--flag"] }, web: { url: "http://localhost:8080/mcp" } };
  const { agent, servers } = stage(() => {}, { client: { mcpServers } });
  await agent.evaluate(hello.bind());
  const params = await paramsOf(servers[0] ?? stage().server, "thread/start");
  assert.deepEqual(params.config, { mcp_servers: mcpServers });
});

for (const policy of ["never", "on-failure", "untrusted", "on-request"] as const) {
  for (const autoApprove of [[], ["commands"], ["commands", "fileChanges"]] as const) {
    test(`4.24, 11.18: with ${policy} the agent approves what the caller named: ${autoApprove.join() || "nothing"}`, async () => {
      const session = new Session();
      const { agent } = stage(
        (server) =>
          server.turn({
            items: [
              { type: "command", command: "ls", approval: true },
              { type: "fileChange", changes: [{ path: "/a", kind: "add" }], approval: true },
            ],
            text: "done",
          }),
        { client: { approvalPolicy: policy, autoApprove } },
      );
      await agent.evaluate(hello.bind(), { session });
      assert.deepEqual(
        session
          .slice(ToolInvoked)
          .all()
          .map(({ result }) => result.success),
        [autoApprove.length > 0, autoApprove.length > 1],
      );
    });
  }
}

const form = { mode: "form", message: "Call it?", requestedSchema: { type: "object", properties: {} } };
const toolCall = {
  serverName: "files",
  threadId: "t",
  turnId: "u",
  ...form,
  _meta: { codex_approval_kind: "mcp_tool_call" },
};
const filled = { requestedSchema: { type: "object", properties: { a: { type: "string" } } } };
const files = { files: { command: "x" } };
const named = { autoApprove: ["mcpTools"] } as const;
for (const [what, client, request, expected] of [
  ["a tool of a server that the caller configured", { mcpServers: files }, toolCall, "accept"],
  ["a tool of another server", { mcpServers: files }, { ...toolCall, serverName: "toString" }, "decline"],
  ["a tool, as the caller named tools", named, toolCall, "accept"],
  ["a tool where every gate is closed", { approvalPolicy: "on-request", mcpServers: files }, toolCall, "decline"],
  ["a question of the server itself", named, { ...toolCall, _meta: null }, "decline"],
  ["another kind of approval", named, { ...toolCall, _meta: { codex_approval_kind: "all" } }, "decline"],
  ["a form to fill in", named, { ...toolCall, ...filled }, "decline"],
] as const) {
  test(`4.24: ${what}: ${expected}`, async () => {
    const given: unknown[] = [];
    const { agent } = stage(
      (server) => {
        server.on("thread/start", async () => {
          given.push(await server.request("mcpServer/elicitation/request", request));
          return { thread: { id: "t", turns: [] } };
        });
      },
      { client },
    );
    await agent.evaluate(hello.bind()).catch(() => undefined);
    assert.equal((given[0] as { action?: string }).action, expected);
  });
}

test("4.24, 12.13: a handler of the caller goes before the policy", async () => {
  const asked: string[] = [];
  const session = new Session();
  const onApproval: AgentClientConfig["onApproval"] = (request) => {
    asked.push(request.kind);
    return request.decline();
  };
  const turn = { items: [{ type: "command", command: "ls", approval: true } as const], text: "done" };
  await stage((server) => server.turn(turn), { client: { onApproval } }).agent.evaluate(hello.bind(), { session });
  assert.deepEqual(asked, ["command"]);
  assert.equal(session.slice(ToolInvoked).latest()?.result.success, false);
});

test("4.24: more permissions are not granted by a policy", async () => {
  const { agent, servers } = stage((server) =>
    server.turn({
      items: [
        {
          type: "request",
          method: "item/permissions/requestApproval",
          params: { itemId: "i", permissions: { network: { enabled: true } } },
        },
      ],
      text: "done",
    }),
  );
  await agent.evaluate(hello.bind());
  assert.equal(servers.length, 1);
});

test("4.2, 4.25, 11.20: a request that nobody knows is answered with an error, under the id that it came with", async () => {
  const answers: unknown[] = [];
  const { agent } = stage((server) => {
    server.on("thread/start", async () => {
      await server.request("brand/new", {}).catch((error: { code?: number }) => answers.push(error.code));
      return { thread: { id: "t", turns: [] } };
    });
  });
  await assert.rejects(agent.evaluate(hello.bind()), PromptEvaluationError);
  assert.deepEqual(answers, [-32601]);
});
