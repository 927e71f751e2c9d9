/** Turns on a real Codex, in a process of its own; prints what the first and a later one took. */
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

/** The part of `@openai/codex-sdk` that is used. */
interface CodexSdk {
  Codex: new (options: { codexPathOverride: string; env: Record<string, string> }) => {
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

async function timed(run: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

let turn: Run | undefined;
const runTurn = async () => {
  turn ??= await contestants[name ?? ""]?.();
  const said = await turn?.();
  if (said !== "Hello") throw new Error(`${name} gave ${JSON.stringify(said)}`);
};
const firstMs = await timed(runTurn);
const laterMs = await timed(runTurn);
console.log(JSON.stringify({ firstMs, laterMs }));
process.exit(0);
