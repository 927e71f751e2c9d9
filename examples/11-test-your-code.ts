/**
 * Tests your own code without Codex and without a model: a scripted server in the same process.
 * Run it: npx bun examples/11-test-your-code.ts
 */
import assert from "node:assert/strict";
import { CodexClient } from "@quire/client";
import { scriptedServer } from "@quire/testkit";

/** The code under test: how many commands does the agent run for a question? */
async function countCommands(codex: CodexClient, question: string): Promise<number> {
  const { items } = await (await codex.thread()).run(question);
  return items.filter((item) => item.type === "commandExecution" && item.status === "completed").length;
}

await using server = scriptedServer();
server.turn({
  items: [
    { type: "command", command: "ls", output: "a.txt\n" },
    { type: "command", command: "rm a.txt", approval: true },
  ],
  text: "One file, and it stays.",
});
await using codex = new CodexClient({
  transport: server.transport,
  onApproval: (request) => (request.kind === "command" && request.script === "ls" ? "accept" : "decline"),
});
await codex.connect();

assert.equal(await countCommands(codex, "What is here?"), 1);
assert.deepEqual(
  server.received.map(({ method }) => method),
  ["initialize", "initialized", "thread/start", "turn/start"],
);
console.log("ok");
