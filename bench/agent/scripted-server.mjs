/**
 * The server that every contestant starts: an app-server with nothing behind it, quick to start. Each turn calls the tool
 * `add` as often as the environment variable CALLS says, one call after the other, and then says one sentence.
 */
import process from "node:process";

const threadId = "0199a213-81c0-7800-8aa1-bbab2a035a53";
/** The Codex that it passes for. */
const version = process.argv[2];
const calls = Number(process.env.CALLS ?? 0);
const thread = { id: threadId, preview: "", ephemeral: false, status: { type: "idle" }, cwd: "/", turns: [] };
const usage = { totalTokens: 9, inputTokens: 4, cachedInputTokens: 0, outputTokens: 5, reasoningOutputTokens: 0 };
const turnOf = (status) => ({ id: "turn-1", items: [], itemsView: "notLoaded", status, error: null });
const of = { threadId, turnId: "turn-1" };

const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const notify = (method, params) => send({ method, params, emittedAtMs: 1_763_000_000_000 });

/** Ids of the server's own requests begin where no client's do. */
let asked = 0;

function callOrEnd() {
  if (asked < calls) {
    const callId = `call-${asked++}`;
    send({
      id: 1000 + asked,
      method: "item/tool/call",
      params: { ...of, callId, tool: "add", arguments: { a: asked } },
    });
    return;
  }
  const item = { type: "agentMessage", id: "msg", text: "Done." };
  notify("item/started", { ...of, item: { ...item, text: "" }, startedAtMs: 0 });
  notify("item/agentMessage/delta", { ...of, itemId: "msg", delta: "Done." });
  notify("item/completed", { ...of, item, completedAtMs: 0 });
  notify("thread/tokenUsage/updated", { ...of, tokenUsage: { total: usage, last: usage, modelContextWindow: null } });
  notify("turn/completed", { threadId, turn: turnOf("completed") });
}

const answers = {
  initialize: () => ({
    userAgent: `scripted/${version} (bench)`,
    codexHome: "/",
    platformFamily: "unix",
    platformOs: "linux",
  }),
  "thread/start": () => ({ thread, model: "scripted", modelProvider: "scripted", cwd: "/", reasoningEffort: null }),
  "turn/start": () => {
    queueMicrotask(() => {
      notify("turn/started", { threadId, turn: turnOf("inProgress") });
      callOrEnd();
    });
    return { turn: turnOf("inProgress") };
  },
};

let rest = "";
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    if (line === "") continue;
    const { id, method } = JSON.parse(line);
    if (method === undefined) callOrEnd();
    else if (id !== undefined) send({ id, result: answers[method]?.() ?? {} });
  }
});
