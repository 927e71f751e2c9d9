import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { prompt, type RunTurn, type TurnContestant } from "./contestant.ts";

/** The part of an AI SDK language model that a stream needs. */
interface LanguageModel {
  doStream(options: {
    prompt: { role: "user"; content: { type: "text"; text: string }[] }[];
  }): Promise<{ stream: ReadableStream<{ type: string; delta?: string; error?: unknown }> }>;
}
type Provider = (modelId: string) => LanguageModel;
type Factory = (options: { defaultSettings: Record<string, unknown> }) => Provider;

/** The app-server provider of `ai-sdk-provider-codex-cli`. */
export const aiSdkCli: TurnContestant = async (server, peers) => {
  const { createCodexAppServer } = await load(peers, "ai-sdk-provider-codex-cli");
  return streaming(createCodexAppServer, server);
};

/**
 * `ai-sdk-provider-codex-app-server`. It begins to listen only after the reply to the start, and never ends when the
 * turn's events come with that reply: for it alone the server waits in between.
 */
export const aiSdkAppServer: TurnContestant = async (server, peers) => {
  process.env.PAUSE_MS = "10";
  const { createCodexAppServer } = await load(peers, "ai-sdk-provider-codex-app-server");
  return streaming(createCodexAppServer, server);
};

async function load(peers: string, name: string): Promise<{ createCodexAppServer: Factory }> {
  return import(pathToFileURL(join(peers, "node_modules", name, "dist", "index.js")).href);
}

/** These providers take the path of a program, with no arguments: the server gets a script of its own. */
function streaming(create: Factory, server: readonly string[]): RunTurn {
  const codexPath = join(mkdtempSync(join(tmpdir(), "quire-bench-")), "codex");
  writeFileSync(codexPath, `#!/bin/sh\nexec ${server.map((word) => `'${word}'`).join(" ")}\n`);
  chmodSync(codexPath, 0o755);
  const provider = create({ defaultSettings: { codexPath, logger: false, threadMode: "persistent" } });
  const model = provider("scripted");
  return async () => {
    const { stream } = await model.doStream({ prompt: [{ role: "user", content: [{ type: "text", text: prompt }] }] });
    let characters = 0;
    for await (const part of stream) {
      if (part.type === "text-delta") characters += part.delta?.length ?? 0;
      if (part.type === "error") throw part.error;
    }
    return characters;
  };
}
