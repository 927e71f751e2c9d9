/** Drives a real Codex through one turn: it runs a command, then says what it saw. No key, no network. */
import { Connection } from "@quire/jsonrpc";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import type { ClientMethods, ServerMethods } from "@quire/protocol";
import { mockResponses, realCodex, reply } from "@quire/testkit";

// The model is scripted: it asks for a command, gets its output, and answers.
await using model = await mockResponses();
model.script(reply().functionCall("exec_command", { cmd: "echo hello from the shell" }));
model.script(reply().text("The command said hello.", { chunks: 4 }));

// Codex 0.166 from node_modules, with a home and a workspace of its own.
await using codex = await realCodex("0.166.0", { model });
await using server = new Connection<ServerMethods, ClientMethods>(spawnTransport(codex));

server.on("item/agentMessage/delta", ({ delta }) => console.log(`delta: ${JSON.stringify(delta)}`));
server.on("item/completed", ({ item }) => {
  if (item.type === "commandExecution") console.log(`ran: ${item.command}, exit code ${item.exitCode}`);
  if (item.type === "agentMessage") console.log(`said: ${item.text}`);
});
const ended = new Promise<string>((resolve) => server.on("turn/completed", ({ turn }) => resolve(turn.status)));

await server.request("initialize", { clientInfo: { name: "first-turn", title: null, version: "0.1.0" } });
server.notify("initialized");
const { thread } = await server.request("thread/start", { cwd: codex.cwd });
await server.request("turn/start", {
  threadId: thread.id,
  input: [{ type: "text", text: "Say hello by way of the shell", text_elements: [] }],
});
console.log(`turn: ${await ended}`);
