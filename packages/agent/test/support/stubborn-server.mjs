/**
 * An app-server that starts a turn and never ends it, whatever it is asked to. With the argument `silent` it does not
 * even answer `initialize`; with `immortal` it does not leave when its input ends or it is told to terminate.
 */
import process from "node:process";

const [mode = ""] = process.argv.slice(2);
const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const turn = { id: "turn-1", items: [], itemsView: "notLoaded", status: "inProgress", error: null };

if (mode === "immortal") {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1000);
}
process.stderr.write(`key ${process.env.STUB_SECRET ?? "none"}, folder ${process.cwd()}\n`);

let rest = "";
process.stdin.on("data", (chunk) => {
  rest += chunk;
  const lines = rest.split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) if (line !== "") answer(JSON.parse(line));
});

function answer({ id, method }) {
  if (mode === "silent" || id === undefined) return;
  if (method === "initialize") send({ id, result: { userAgent: "stub/0.166.0 (test)" } });
  if (method === "thread/start") send({ id, result: { thread: { id: "thread-1", turns: [] } } });
  if (method === "turn/start") {
    if (mode === "die") process.exit(3);
    send({ id, result: { turn } });
    send({ method: "turn/started", params: { threadId: "thread-1", turn } });
    const of = { threadId: "thread-1", turnId: "turn-1" };
    send({ method: "item/agentMessage/delta", params: { ...of, itemId: "m", delta: "half a sen" } });
    send({
      method: "thread/status/changed",
      params: { threadId: "thread-1", status: { type: "active", activeFlags: [] } },
    });
  }
  if (method === "turn/interrupt") send({ id, result: {} });
}
