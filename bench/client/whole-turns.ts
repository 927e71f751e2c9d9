/** Turns on a real Codex, in a process of its own; prints what they took, the start of whatever they need included. */
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { wholeTurns } from "./sizes.ts";

/** The part of `@openai/codex-sdk` that is used. */
interface CodexSdk {
  Codex: new (options: {
    codexPathOverride: string;
    env: Record<string, string>;
  }) => {
    startThread(options: { workingDirectory: string; skipGitRepoCheck: boolean }): {
      run(input: string): Promise<{ finalResponse: string }>;
    };
  };
}

type Run = () => Promise<string>;

const [name, command = "", cwd = "", peers = ""] = process.argv.slice(2);
// The environment of the Codex at hand has nothing of this process's own.
const env = JSON.parse(process.env.CODEX_ENV ?? "{}") as Record<string, string>;

const contestants: Record<string, () => Promise<Run>> = {
  quire: async () => {
    const { CodexClient } = await import("@quire/client");
    const client = await CodexClient.spawn({ command: [command, "app-server"], cwd, env });
    const thread = await client.thread({ cwd });
    return async () => (await thread.run("Say hello")).agentMessage;
  },
  "@openai/codex-sdk": async () => {
    const entry = join(peers, "node_modules", "@openai", "codex-sdk", "dist", "index.js");
    const { Codex } = (await import(pathToFileURL(entry).href)) as CodexSdk;
    const thread = new Codex({ codexPathOverride: command, env }).startThread({
      workingDirectory: cwd,
      skipGitRepoCheck: true,
    });
    return async () => (await thread.run("Say hello")).finalResponse;
  },
};

const began = performance.now();
const runTurn = await contestants[name ?? ""]?.();
for (let turn = 0; turn < wholeTurns; turn++) {
  const said = await runTurn?.();
  if (said !== "Hello") throw new Error(`${name} gave ${JSON.stringify(said)}`);
}
console.log(JSON.stringify(performance.now() - began));
process.exit(0);
