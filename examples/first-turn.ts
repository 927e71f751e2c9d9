/** A real Codex with a scripted model, a tool of our own, and an answer with a type. No key, no network. */
import { CodexClient, tool } from "@quire/client";
import { codexVersion } from "@quire/protocol/version";
import { mockResponses, realCodex, reply } from "@quire/testkit";
import { z } from "zod";

// The model: it calls our tool, then runs a command, then answers. With a model of your own, `spawn()` is enough.
await using model = await mockResponses();
model.script(reply().functionCall("find_ticket", { id: 42 }));
model.script(reply().functionCall("exec_command", { cmd: "echo looking around" }));
model.script(reply().text('{"title":"Crash on second start","urgent":true}', { chunks: 4 }));
await using local = await realCodex(codexVersion, { model });

const findTicket = tool({
  name: "find_ticket",
  description: "Reads a ticket",
  input: z.object({ id: z.number().int() }),
  run: ({ id }) => ({ id, text: "It crashes when it is started twice." }),
});

await using codex = await CodexClient.spawn({
  ...{ command: [local.command, ...local.args], env: local.env, cwd: local.cwd },
  onApproval: (request) => (request.kind === "command" ? request.accept() : request.decline()),
});
const thread = await codex.thread({ tools: [findTicket], approvalPolicy: "untrusted" });
const turn = thread.run("Sum up ticket 42", { output: z.object({ title: z.string(), urgent: z.boolean() }) });
for await (const event of turn) {
  if (event.type === "item.completed") console.log(`done: ${event.item.type}`);
  if (event.type === "agentMessage.delta") console.log(`delta: ${event.delta}`);
}
const { output, usage } = await turn;
console.log(`${output.urgent ? "urgent" : "later"}: ${output.title} (${usage?.total.totalTokens} tokens)`);
