/**
 * Asks on the terminal before a command runs or a file changes. Anything but "y", and the end of input, declines.
 * Run it: npx bun examples/02-approvals.ts "Make a file hello.txt"
 */
import process from "node:process";
import { createInterface } from "node:readline";
import { CodexClient } from "@quire/client";

const terminal = createInterface({ input: process.stdin });
const lines = terminal[Symbol.asyncIterator]();

async function isAllowed(question: string): Promise<boolean> {
  console.log(`${question} [y/N]`);
  const { value } = await lines.next();
  return value === "y";
}

await using codex = await CodexClient.spawn({
  onApproval: {
    command: async (request) =>
      (await isAllowed(`Run ${request.command} in ${request.cwd}?`)) ? request.accept() : request.decline(),
    fileChange: async (request) => {
      const files = request.changes.map(({ kind, path }) => `${kind.type} ${path}`).join(", ");
      return (await isAllowed(`Change files (${files})?`)) ? request.accept() : request.decline();
    },
    // Requests for more permissions have no handler here: they are declined, and `warning` says so.
  },
});
codex.on("warning", ({ message }) => console.warn(message));

const thread = await codex.thread({ approvalPolicy: "untrusted", sandbox: "workspace-write" });
const { agentMessage, items } = await thread.run(process.argv[2] ?? "Make a file hello.txt");
for (const item of items) if ("status" in item) console.log(`${item.type}: ${item.status}`);
console.log(agentMessage);
terminal.close();
