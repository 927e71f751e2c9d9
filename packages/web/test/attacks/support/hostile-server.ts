import { codexVersion } from "@quire/protocol/version";
import type { ServerWebSocket } from "bun";

/** What an attacker wants of the page, each told apart by where the text stands. */
export const payload = (where: string): string =>
  [
    `${where} \u202edesrever\u202c \u2066a\u2069 \u200b\u{e0041}\u{e0042}`,
    `<img src="https://evil.example/${where}.png" onerror="(window.hits ??= []).push('${where}')">`,
    `<script>(window.hits ??= []).push('${where}')</script>`,
  ].join(" ");

/** Characters that hide or reorder what is around them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const hiding = /[\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}]|[\0-\x08\x0b-\x1f\x7f-\x9f]/u;

const threadId = "11111111-2222-4333-8444-555555555555";
const plainCommand = { type: "commandExecution", commandActions: [], status: "completed", exitCode: 0 };

/** One item for each place where a server can put text. */
const items = [
  { type: "userMessage", id: "user", content: [{ type: "text", text: payload("message") }] },
  { type: "agentMessage", id: "agent", text: `**${payload("markdown")}**\n\n\`\`\`sh\n${payload("code")}\n\`\`\`` },
  {
    type: "agentMessage",
    id: "picture",
    text: "![a](https://evil.example/remote.png) ![b](//evil.example/remote.png)",
  },
  { type: "agentMessage", id: "link", text: "Read [https://good.example/](https://evil.example/linked)." },
  { type: "reasoning", id: "why", summary: [payload("reasoning")], content: [] },
  {
    ...plainCommand,
    id: "command",
    command: `echo ${payload("command")}`,
    cwd: "/w",
    aggregatedOutput: payload("output"),
  },
  {
    ...{ type: "fileChange", id: "change", status: "completed" },
    changes: [
      { path: `/w/${payload("path")}.ts`, kind: { type: "update" }, diff: `@@ -1 +1 @@\n-a\n+${payload("diff")}\n` },
    ],
  },
  {
    ...{
      type: "mcpToolCall",
      id: "mcp",
      server: payload("server"),
      tool: payload("tool"),
      arguments: { a: payload("argument") },
    },
    ...{ status: "failed", error: { message: payload("failure") }, result: null },
  },
  {
    type: "webSearch",
    id: "web",
    query: payload("query"),
    results: [{ title: payload("result"), url: "https://evil.example/r" }],
  },
  { type: "plan", id: "plan", text: payload("plan") },
  { type: payload("kind"), id: "unknown", data: payload("data") },
];

const turn = {
  id: "turn",
  status: "failed",
  items,
  error: { message: payload("error"), additionalDetails: payload("details") },
};
const thread = {
  id: threadId,
  ...{ cliVersion: codexVersion, createdAt: 1, updatedAt: 2, cwd: `/w/${payload("folder")}`, ephemeral: false },
  ...{ name: payload("name"), preview: payload("preview"), modelProvider: payload("provider"), sessionId: threadId },
  ...{ source: "vscode", status: { type: "idle" }, projectId: null, gitInfo: { branch: payload("branch") } },
};
const opened = {
  thread: { ...thread, turns: [turn] },
  ...{ approvalPolicy: "on-request", approvalsReviewer: "user", cwd: thread.cwd, model: payload("model") },
  ...{ modelProvider: payload("provider"), sandbox: { type: "readOnly" } },
};

const answers: Readonly<Record<string, unknown>> = {
  initialize: {
    userAgent: `evil/1.0 ${payload("agent")}`,
    codexHome: "/x",
    platformFamily: "unix",
    platformOs: "linux",
  },
  "thread/list": { data: [{ ...thread, turns: [] }], nextCursor: null },
  "thread/loaded/list": { data: [] },
  "thread/resume": opened,
  "thread/read": { thread: opened.thread },
  "thread/turns/list": { data: [turn], nextCursor: null },
  "model/list": {
    data: [
      {
        id: "m",
        model: payload("model"),
        displayName: payload("model"),
        description: payload("model"),
        isDefault: true,
      },
    ],
  },
  "account/read": { account: { type: "chatgpt", email: payload("email"), planType: "pro" }, requiresOpenaiAuth: true },
  "mcpServerStatus/list": {
    data: [
      {
        name: payload("row"),
        tools: { t: { name: payload("toolrow"), description: payload("toolabout") } },
        authStatus: "unsupported",
      },
    ],
    nextCursor: null,
  },
};

/** A server that is after the page, behind a socket. Whoever starts it stops it. */
export function hostileServer() {
  const answered: { readonly id: unknown; readonly result: unknown }[] = [];
  let peer: ServerWebSocket | undefined;
  let asked = 100;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, on) => (on.upgrade(request, { data: undefined }) ? undefined : new Response(null)),
    websocket: {
      message(socket, text) {
        peer = socket;
        const { id, method, result } = JSON.parse(String(text));
        if (method === undefined) answered.push({ id, result });
        else if (id === undefined) return;
        else if (Object.hasOwn(answers, method)) socket.send(JSON.stringify({ id, result: answers[method] }));
        else socket.send(JSON.stringify({ id, error: { code: -32601, message: payload("refusal") } }));
      },
    },
  });
  return {
    address: `ws://127.0.0.1:${server.port}`,
    threadId,
    /** What pages replied, by the ids that {@link ask} gave. */
    answered,
    /** Asks every page a question. */
    ask(method: string, params: object): number {
      const id = asked++;
      peer?.send(
        JSON.stringify({ id, method, params: { threadId, turnId: "turn", itemId: "i", startedAtMs: 0, ...params } }),
      );
      return id;
    },
    /** Takes all questions back. */
    withdraw: () =>
      peer?.send(JSON.stringify({ method: "turn/completed", params: { threadId, turn: { ...turn, items: [] } } })),
    stop: () => server.stop(true),
  };
}
