/**
 * A prompt evaluated by an agent, and what it did told by the session's events.
 * Run it: npx bun examples/13-agent.ts
 */
import process from "node:process";
import { CodexAgent, definePrompt, markdown, Session, ToolInvoked } from "@quire/agent";

const session = new Session();
session.dispatcher.subscribe(ToolInvoked, ({ name, result }) => {
  console.log(`${name}: ${result.success ? "ok" : "failed"}`);
});

const template = definePrompt({
  ns: "demo",
  key: "codex",
  sections: [markdown({ title: "Task", key: "task", template: "List the files in the repo and summarize." })],
});
const prompt = template.bind();

// Starts `codex app-server` for each evaluation, and ends it.
const agent = new CodexAgent({
  client: { cwd: process.cwd(), approvalPolicy: "never", sandbox: "workspace-write" },
  model: { model: "gpt-5.1-codex", effort: "medium" },
});

// Not needed here: resources that nobody entered live as long as the evaluation.
await using _resources = await prompt.resources.enter();
const { text, usage } = await agent.evaluate(prompt, { session });
console.log(text);
console.log(`${usage?.totalTokens ?? 0} tokens`);
