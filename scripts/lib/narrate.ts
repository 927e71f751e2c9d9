import process from "node:process";
import type { Connection } from "@quire/jsonrpc";
import type { ClientMethods, ServerMethods, TurnStatus } from "@quire/protocol";

/** Prints what a server tells, as it comes. Resolves with the status of the first turn that ends. */
export function narrate(server: Connection<ServerMethods, ClientMethods>): Promise<TurnStatus> {
  /** Whether the cursor stands behind a streamed message. */
  let streaming = false;
  const line = (event: string, text = "") => {
    if (streaming) process.stdout.write("\n");
    streaming = false;
    console.log(`${event.padEnd(15)} ${text}`.trimEnd());
  };
  const indent = (text: string) => text.trimEnd().replaceAll("\n", `\n${" ".repeat(16)}`);

  server.on("thread/started", ({ thread }) => line("thread started", thread.id));
  server.on("turn/started", ({ turn }) => line("turn started", turn.id));
  server.on("item/started", ({ item }) => {
    if (item.type === "commandExecution") line("command", item.command);
  });
  server.on("item/completed", ({ item }) => {
    if (item.type === "userMessage") {
      line("user", item.content.map((part) => (part.type === "text" ? part.text : part.type)).join(" "));
    } else if (item.type === "reasoning") {
      line("reasoning", indent((item.summary ?? []).join("\n")));
    } else if (item.type === "commandExecution") {
      line("output", indent(item.aggregatedOutput ?? ""));
      line("command ended", `exit code ${item.exitCode}`);
    }
  });
  server.on("item/agentMessage/delta", ({ delta }) => {
    if (!streaming) process.stdout.write("agent".padEnd(16));
    streaming = true;
    process.stdout.write(delta);
  });
  server.on("error", ({ error }) => line("error", error.message));
  return new Promise((resolve) =>
    server.on("turn/completed", ({ turn }) => {
      line("turn ended", turn.status);
      resolve(turn.status);
    }),
  );
}
