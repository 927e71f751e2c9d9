/**
 * An app-server with odd manners on the wire. The argument chooses which:
 * `noise` mixes lines that mean nothing into a turn, and tells at its end what it received; `refuse` refuses the thread;
 * `leave` goes away when asked for a thread, after it said much on stderr; `deaf` answers nothing but the handshake.
 */
import process from "node:process";

const [mode = ""] = process.argv.slice(2);
const received = [];
const write = (text) => process.stdout.write(text);
const send = (message) => write(`${JSON.stringify(message)}\n`);
const of = { threadId: "thread-1", turnId: "turn-1" };
const turn = (status) => ({ id: "turn-1", items: [], itemsView: "notLoaded", status, error: null });

let rest = "";
process.stdin.on("data", (chunk) => {
  rest += chunk;
  const lines = rest.split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) take(JSON.parse(line));
});

function take(message) {
  received.push(message);
  const { id, method } = message;
  if (method === "initialize") send({ id, result: { userAgent: "odd/0.166.0 (test)" } });
  else if (mode === "deaf") return;
  else if (method === "thread/start") startThread(id);
  else if (method === "turn/start") startTurn(id);
  // The turn ends when both of its questions were answered.
  else if (method === undefined && received.filter((each) => each.method === undefined).length === 2) endTurn();
}

function startThread(id) {
  if (mode === "leave") {
    process.stderr.write(`${"x".repeat(20_000)}the last words`, () => process.exit(1));
  } else if (mode === "refuse") {
    send({ id, error: { code: -32099, message: "no threads today", data: { until: "noon" } } });
  } else {
    write("\n\r\n  \nnot json at all\n[1,2]\n5\nnull\n");
    send({ id: 987_654, result: {} });
    send({ id, result: { thread: { id: "thread-1", turns: [] } } });
  }
}

function startTurn(id) {
  send({ method: "turn/started", params: { threadId: "thread-1", turn: turn("inProgress") } });
  const question = { ...of, itemId: "c", command: "ls", cwd: "/", commandActions: [] };
  send({ id: "a string", method: "item/commandExecution/requestApproval", params: question });
  send({ id: 1, method: "item/commandExecution/requestApproval", params: { ...question, itemId: "d" } });
  send({ id, result: { turn: turn("inProgress") } });
}

function endTurn() {
  const text = JSON.stringify(received);
  send({
    method: "item/completed",
    params: { ...of, completedAtMs: 0, item: { type: "agentMessage", id: "m", text } },
  });
  send({ method: "turn/completed", params: { threadId: "thread-1", turn: turn("completed") } });
}
