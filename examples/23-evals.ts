/**
 * Evals: a prompt over a dataset, with scores, a report, and the difference from the last run. It fails where a case became
 * worse, so CI can run it. With --replay it scores the last run's answers again, without a model.
 * Run it: npx bun examples/23-evals.ts [--replay]
 */
import process from "node:process";
import { CodexAgent, definePrompt, markdown } from "@quire/agent";
import { type EvalCase, evaluateAll, lastReport } from "@quire/agent/evals";
import { fileStore } from "@quire/agent/stores";
import { z } from "zod";

const triage = definePrompt({
  ns: "demo",
  key: "triage",
  sections: [
    markdown({
      key: "task",
      title: "Task",
      template: "Which team should look at this ticket, web or core, and is it urgent?\n\n$ticket",
      params: z.object({ ticket: z.string() }),
    }),
  ],
  output: z.object({ team: z.enum(["web", "core"]), urgent: z.boolean() }),
});

const dataset: EvalCase<string, { team: string; urgent: boolean }>[] = [
  { id: "login page", input: "The login page is blank", expected: { team: "web", urgent: true } },
  { id: "slow start", input: "The server starts a bit slowly", expected: { team: "core", urgent: false } },
];

const store = fileStore("evals");
const replay = process.argv.includes("--replay") ? await lastReport(store, "triage") : undefined;
const { report, diff } = await evaluateAll(dataset, {
  agent: new CodexAgent({ client: { sandbox: "read-only", ephemeral: true } }),
  prompt: (ticket) => triage.bind({ ticket }),
  score: {
    team: ({ output, expected }) => output.team === expected?.team,
    urgent: ({ output, expected }) => output.urgent === expected?.urgent,
  },
  concurrency: 2,
  name: "triage",
  store,
  replay,
});
console.log(report.table());
console.log(diff?.table() ?? "This is the first run.");
if (diff && diff.worse.length > 0) process.exitCode = 1;
