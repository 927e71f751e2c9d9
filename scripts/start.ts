/**
 * `npm start`: a live look at the protocol. A real Codex from node_modules works through one turn with a scripted
 * model, and everything it says is shown as it comes. Needs no key and no network, and ends by itself.
 */
import process from "node:process";
import { Connection } from "@quire/jsonrpc";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import type { ClientMethods, ServerMethods } from "@quire/protocol";
import { mockResponses, realCodex, reply } from "@quire/testkit";
import { narrate } from "./lib/narrate.ts";

const version = "0.166.0";
const question = "Which shell is this, and what is in this folder?";
const answer =
  "You are in a fresh, empty folder that will be gone in a moment. The output above came from a real shell.";

const stopped = new Promise<"stopped">((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve("stopped"));
});
process.exitCode = await main();

/** Everything is disposed of in reverse order when this returns, also after Ctrl-C. */
async function main(): Promise<number> {
  await using model = await mockResponses();
  model.script(
    reply()
      .reasoning(["I will look around with one command."])
      .functionCall("exec_command", { cmd: 'echo "shell: $0"; echo "folder: $PWD"; ls -la' }),
    reply().text(words(answer)),
  );
  await using codex = await realCodex(version, { model });
  console.log(`Starting ${codex.command}\nThe model is a script on ${model.url}; nothing leaves this machine.\n`);
  await using server = new Connection<ServerMethods, ClientMethods>(spawnTransport(codex));
  const ended = narrate(server);

  const run = async () => {
    const clientInfo = { name: "quire-start", title: "Quire", version: "0.1.0" };
    const { userAgent } = await server.request("initialize", { clientInfo });
    server.notify("initialized");
    console.log(`initialize      ${userAgent}`);
    const { thread } = await server.request("thread/start", { cwd: codex.cwd });
    await server.request("turn/start", {
      threadId: thread.id,
      input: [{ type: "text", text: question, text_elements: [] }],
    });
    return ended;
  };
  const lost = server.closed.then((error) => Promise.reject(error ?? new Error("Codex ended before its turn did")));
  lost.catch(() => undefined);
  const outcome = await Promise.race([run(), lost, stopped]);
  if (outcome === "stopped") console.log("\nStopped; cleaning up.");
  else
    console.log("\nThat was one turn. The code: scripts/start.ts; the same with the client: examples/first-turn.ts.");
  return outcome === "completed" ? 0 : outcome === "stopped" ? 130 : 1;
}

/** Slow enough to watch. */
function* words(text: string): Generator<string | Promise<void>> {
  for (const word of text.split(/(?<= )/)) {
    yield word;
    yield new Promise<void>((resolve) => setTimeout(resolve, 40));
  }
}
