/**
 * A server that runs elsewhere. When the line breaks, the client comes back, resumes its threads and catches up.
 * Run it: codex app-server --listen ws://127.0.0.1:4500, then: npx bun examples/09-websocket.ts ws://127.0.0.1:4500
 */
import process from "node:process";
import { CodexClient } from "@quire/client";

await using codex = await CodexClient.connect(process.argv[2] ?? "ws://127.0.0.1:4500", {
  token: process.env.CODEX_TOKEN,
  reconnect: { attempts: 20, baseMs: 100, maxMs: 2000 },
});
console.log(`Codex ${codex.serverVersion}, ${codex.state}`);
codex.on("state", (state) => console.log(`state: ${state}`));

const thread = await codex.thread();
const turn = thread.run("Count to three, slowly.");
for await (const event of turn) {
  // Each item comes once, be it live or caught up after the line was down.
  if (event.type === "item.completed") console.log(`item: ${event.item.type}`);
}
console.log((await turn).agentMessage);
