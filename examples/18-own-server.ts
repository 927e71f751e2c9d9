/** A server and its client in one process: no subprocess, no socket, no key. The built-in model answers. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodexClient } from "@quire/client";
import { memoryPair } from "@quire/jsonrpc/memory";
import { createServer } from "@quire/server";

const home = await mkdtemp(join(tmpdir(), "quire-home-"));
const server = createServer({ home, configOverrides: { model_provider: "offline" } });
const [ours, theirs] = memoryPair();
server.accept(theirs);

const codex = await CodexClient.connect(ours);
const thread = await codex.thread({ cwd: home, sandbox: "danger-full-access" });
const { items, agentMessage } = await thread.run("run: echo hello");
for (const item of items) if (item.type === "commandExecution") console.log(`${item.command} gave ${item.exitCode}`);
console.log(agentMessage);

await codex.close();
await server.close();
await rm(home, { recursive: true });
