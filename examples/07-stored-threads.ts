/**
 * Lists the newest stored threads, finds those in which something was said, and continues with the first of them.
 * Run it: npx bun examples/07-stored-threads.ts "login bug"
 */
import process from "node:process";
import { CodexClient } from "@quire/client";

const searchTerm = process.argv[2] ?? "bug";
await using codex = await CodexClient.spawn();

// Iterating fetches pages as they are needed, up to the limit; awaiting the same call would give the first page.
for await (const { id, preview, createdAt } of codex.threads.list({}, { limit: 20, pageSize: 10 })) {
  console.log(`${id} ${new Date(createdAt * 1000).toISOString().slice(0, 10)} ${preview}`);
}

const [found] = await codex.threads.search({ searchTerm }, { limit: 1 }).toArray();
if (found) {
  const thread = await codex.resume(found.thread.id);
  for await (const item of thread.items({ limit: 100 })) {
    if (item.type === "agentMessage") console.log(`said before: ${item.text}`);
  }
  const { agentMessage } = await thread.run("Where were we?");
  console.log(agentMessage);
} else {
  console.log(`"${searchTerm}" was not said in any thread`);
}
