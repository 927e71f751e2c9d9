/**
 * Codex as a language model of the Vercel AI SDK: text as it comes, and a tool of the AI SDK that the agent calls.
 * Run it: npx bun examples/12-ai-sdk.ts "How warm is it in Bern?"
 */
import process from "node:process";
import { createCodex } from "@quire/client/ai-sdk";
import { stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

const temperature = tool({
  description: "The temperature in a city, in degrees Celsius",
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => {
    console.log(`temperature(${city})`);
    return { city, degrees: 21 };
  },
});

await using codex = createCodex({ settings: { thread: { sandbox: "read-only" } } });
const { textStream, totalUsage } = streamText({
  model: codex(),
  prompt: process.argv[2] ?? "How warm is it in Bern?",
  tools: { temperature },
  stopWhen: stepCountIs(5),
});
for await (const text of textStream) process.stdout.write(text);
console.log(`\n${(await totalUsage).totalTokens} tokens`);
