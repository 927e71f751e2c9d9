/**
 * An agent that works on a copy: the files of a folder are copied into a workspace, which is gone afterwards.
 * Run it: npx bun examples/15-agent-workspace.ts FOLDER
 */
import { dirname, resolve } from "node:path";
import process from "node:process";
import { CodexAgent, createWorkspace, definePrompt, markdown, WorkspaceSection } from "@quire/agent";

const folder = resolve(process.argv[2] ?? ".");
await using workspace = await createWorkspace({
  mounts: [{ hostPath: folder, mountPath: "repo", excludeGlob: ["node_modules", ".git"], maxBytes: 50_000_000 }],
  allowedHostRoots: [dirname(folder)],
});

const prompt = definePrompt({
  ns: "demo",
  key: "tidy",
  sections: [
    markdown({ key: "task", title: "Task", template: "Tidy up the repository." }),
    new WorkspaceSection(workspace),
  ],
}).bind();

// Without `cwd` the agent works in the prompt's workspace.
const agent = new CodexAgent({ client: { sandbox: "workspace-write" } });
const { text } = await agent.evaluate(prompt);
console.log(text);
console.log(`In the copy: ${(await workspace.filesystem.list("repo")).join(", ")}`);
