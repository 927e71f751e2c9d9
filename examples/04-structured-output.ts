/**
 * An answer as a typed value instead of prose: the model is held to the schema, and what it wrote is validated.
 * Run it: npx bun examples/04-structured-output.ts
 */
import { CodexClient, OutputError } from "@quire/client";
import { z } from "zod";

const Report = z.object({
  language: z.string().describe("The main programming language"),
  hasTests: z.boolean(),
  todos: z.array(z.object({ file: z.string(), text: z.string() })),
  // Strict mode knows no optional properties: the model writes null, and you get undefined.
  license: z.string().optional(),
});

await using codex = await CodexClient.spawn();
const thread = await codex.thread({ sandbox: "read-only" });
try {
  const { output } = await thread.run("Look at this project and report on it.", { output: Report });
  console.log(`${output.language}, ${output.hasTests ? "tested" : "untested"}, licence ${output.license ?? "unknown"}`);
  for (const { file, text } of output.todos) console.log(`${file}: ${text}`);
} catch (error) {
  if (!OutputError.is(error)) throw error;
  console.error(`The model wrote something else: ${error.text}`);
}
