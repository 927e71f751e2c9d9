/**
 * Runs a turn and shows it as it happens.
 * Run it: npx bun examples/01-one-turn.ts "What is in this folder?"
 */
import process from "node:process";
import { CodexClient } from "@quire/client";

// Starts `codex app-server` and ends it with this scope.
await using codex = await CodexClient.spawn();
const thread = await codex.thread({ sandbox: "read-only", approvalPolicy: "never" });
const turn = thread.run(process.argv[2] ?? "What is in this folder?");

for await (const event of turn) {
  if (event.type === "agentMessage.delta") process.stdout.write(event.delta);
  if (event.type === "item.completed" && event.item.type === "commandExecution") {
    console.log(`$ ${event.item.command} (exit code ${event.item.exitCode})`);
  }
}

// The same object can be awaited for what the turn came to.
const { status, items, usage } = await turn;
console.log(`\n${status}: ${items.length} items, ${usage?.total.totalTokens ?? 0} tokens`);
