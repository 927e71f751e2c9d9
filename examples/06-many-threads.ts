/**
 * Many threads at once on one server, three at a time, each with its own question.
 * Run it: npx bun examples/06-many-threads.ts
 */
import { CodexClient, TurnError } from "@quire/client";

const questions = ["a list", "a set", "a map", "a queue", "a stack", "a heap"].map((name) => `What is ${name}?`);

await using codex = await CodexClient.spawn();

async function answer(question: string): Promise<string> {
  // Nothing of it is stored, and when it is answered the server may forget it.
  const thread = await codex.thread({ ephemeral: true, sandbox: "read-only" });
  try {
    return (await thread.run(question)).agentMessage;
  } catch (error) {
    // One that fails does not end the others.
    if (TurnError.is(error)) return `failed: ${error.message}`;
    throw error;
  } finally {
    await thread.unsubscribe();
  }
}

const waiting = questions.values();
async function worker(): Promise<void> {
  for (const question of waiting) console.log(`${question} ${await answer(question)}`);
}
await Promise.all([worker(), worker(), worker()]);
