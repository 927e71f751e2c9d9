/**
 * Codex's clients on a model of your own program: any `LanguageModel` of the AI SDK, here a local one.
 * Run it: MODEL_URL=http://127.0.0.1:11434/v1 MODEL=qwen3 npx bun examples/21-own-model.ts
 */
import process from "node:process";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createServer } from "@quire/server";
import { listen } from "@quire/server/listen";

const { MODEL_URL: baseURL = "http://127.0.0.1:11434/v1", MODEL = "qwen3" } = process.env;
const local = createOpenAICompatible({ name: "local", baseURL, includeUsage: true });

const server = createServer({ providers: { local: local(MODEL) } });
const listener = await listen(server, { url: "ws://127.0.0.1:0" });
console.log(`codex --remote ${listener.address}`);
process.once("SIGINT", () => void listener.close().then(() => server.close()));
