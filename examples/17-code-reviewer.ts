/**
 * A code reviewer: an agent with two tools of ours, a rule for them, and a typed report.
 * Run it: npx bun examples/17-code-reviewer.ts main
 */
import { execFileSync } from "node:child_process";
import process from "node:process";
import {
  CodexAgent,
  Deadline,
  definePrompt,
  markdown,
  Session,
  sequentialDependency,
  ToolResult,
  tool,
} from "@quire/agent";
import { z } from "zod";

const base = process.argv[2] ?? "main";
const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" });

const changedFiles = tool({
  name: "changed_files",
  description: "Lists the files that differ from the base branch",
  output: z.object({ files: z.array(z.string()) }),
  run: () => ToolResult.ok({ files: git("diff", "--name-only", base).split("\n").filter(Boolean) }),
});

const readDiff = tool({
  name: "read_diff",
  description: "Shows what was changed in one file",
  input: z.object({ file: z.string().describe("One of the files that changed_files lists") }),
  output: z.object({ diff: z.string() }),
  run: ({ file }) => {
    const diff = git("diff", base, "--", file);
    return diff === "" ? ToolResult.error(`Nothing was changed in ${file}`) : ToolResult.ok({ diff });
  },
});

const Report = z.object({
  verdict: z.enum(["approve", "request changes"]),
  summary: z.string(),
  findings: z.array(z.object({ file: z.string(), line: z.number().int().optional(), problem: z.string() })),
});

const review = definePrompt({
  ns: "demo",
  key: "review",
  sections: [
    markdown({
      key: "task",
      title: "Task",
      template: "Review what differs from $branch. Look at every changed file, and report bugs, not matters of taste.",
      params: z.object({ branch: z.string() }),
      tools: [changedFiles, readDiff],
      policies: [sequentialDependency({ requires: { read_diff: ["changed_files"] } })],
    }),
  ],
  output: Report,
});

const session = new Session();
const agent = new CodexAgent({ client: { sandbox: "read-only" } });
const { output, usage } = await agent.evaluate(review.bind({ branch: base }), {
  session,
  deadline: Deadline.in(10 * 60_000),
});
console.log(`${output.verdict}: ${output.summary}`);
for (const { file, line, problem } of output.findings) console.log(`${file}:${line ?? "?"}: ${problem}`);
console.log(`${usage?.totalTokens ?? 0} tokens`);
