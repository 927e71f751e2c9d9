/**
 * A typed value instead of text: the model is held to the schema, and what it wrote is checked.
 * Run it: npx bun examples/16-agent-typed-output.ts
 */
import { CodexAgent, Deadline, definePrompt, markdown, StructuredOutputError } from "@quire/agent";
import { z } from "zod";

const Summary = z.object({ title: z.string(), files: z.array(z.string()), lineCount: z.number().int() });

const summarize = definePrompt({
  ns: "demo",
  key: "summarize",
  sections: [
    markdown({
      key: "task",
      title: "Task",
      template: "Summarize the repository structure of $repo.",
      params: z.object({ repo: z.string() }),
    }),
  ],
  output: Summary,
});

try {
  const { output } = await new CodexAgent().evaluate(summarize.bind({ repo: "quire" }), {
    deadline: Deadline.in(120_000),
    budget: { maxTotalTokens: 200_000 },
  });
  console.log(`${output.title}: ${output.files.length} files, ${output.lineCount} lines`);
} catch (error) {
  if (!(error instanceof StructuredOutputError)) throw error;
  console.error(`The model wrote something else: ${error.text}`);
}
