import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { documents } from "../../scripts/lib/embed.ts";
import { root } from "../../scripts/lib/workspace.ts";
import { snippetErrors, snippetsOf } from "../lib/snippets.ts";

/** Documents whose snippets assume variables of their own. */
const own: readonly string[] = ["docs/client.md", "docs/agent.md"];

/** Variables and packages that docs/client.md assumes, and every value that `@quire/client` exports. */
const ambient = `
type Client = typeof import("@quire/client");
declare const codex: import("@quire/client").CodexClient;
declare const thread: import("@quire/client").ThreadHandle;
declare const signal: AbortSignal;
declare const transport: import("@quire/client").Transport;
declare const z: typeof import("zod").z;
declare const key: string;
declare module "@ai-sdk/harness/agent" {
  type Harness = ReturnType<typeof import("@quire/client/ai-sdk-harness").createCodexHarness>;
  class HarnessAgent {
    constructor(options: { harness: Harness; sandbox: object; permissionMode: "allow-all" | "allow-edits" | "allow-reads" });
    createSession(): Promise<{ destroy(): Promise<void> }>;
    generate(options: { session: object; prompt: string }): Promise<{ text: string }>;
  }
}
declare module "@ai-sdk/sandbox-vercel" {
  function createVercelSandbox(options: { ports: number[] }): object;
}
${["CodexClient", "ConnectionError", "RpcError", "TurnError", "jsonSchema", "pages", "policies", "tool"]
  .map((name) => `declare const ${name}: Client["${name}"];`)
  .join("\n")}
`;

test("every snippet of the client's documents compiles as it stands", async () => {
  assert.deepEqual(await snippetErrors(["docs/client.md"], ambient), []);
});

/** Variables that docs/agent.md assumes, and the exports of `@quire/agent` that its snippets use. */
const agentAmbient = `
type Agent = typeof import("@quire/agent");
declare const agent: import("@quire/agent").CodexAgent;
declare const session: import("@quire/agent").Session;
declare const bound: import("@quire/agent").Prompt;
declare const answer: import("@quire/agent").PromptTemplate<{ question: string }, undefined>;
declare const lookup: import("@quire/agent").Tool;
declare const planSlice: Parameters<import("@quire/agent").Session["install"]>[0];
declare const Closed: import("@quire/agent/sessions").RecordType<{ id: number }>;
declare const signal: AbortSignal;
declare const z: typeof import("zod").z;
declare const scriptedServer: typeof import("@quire/testkit").scriptedServer;
${[
  ["BudgetTracker", "CodexAgent", "Deadline", "SessionSnapshot", "ToolInvoked", "ToolResult", "WorkspaceSection"],
  ["allComplete", "createWorkspace", "deadlineFeedback", "definePrompt", "defineSlice", "evaluateSideBySide"],
  ["markdown", "record", "requiredFiles", "section", "skill", "staticFeedback", "tool"],
]
  .flat()
  .map((name) => `declare const ${name}: Agent["${name}"];`)
  .join("\n")}
`;

test("every snippet of the agent's documents compiles as it stands", async () => {
  assert.deepEqual(await snippetErrors(["docs/agent.md"], agentAmbient), []);
});

/** Variables that recipes and the page of errors assume. */
const otherAmbient = `
declare const CodexClient: typeof import("@quire/client").CodexClient;
declare const thread: import("@quire/client").ThreadHandle;
declare const agent: import("@quire/agent").CodexAgent;
declare const dataset: readonly import("@quire/agent/evals").EvalCase<string, string>[];
declare const makePrompt: (input: string) => import("@quire/agent").Prompt<unknown, undefined>;
declare const z: typeof import("zod").z;
`;

test("every snippet of all other documents compiles as it stands", async () => {
  const others = documents()
    .map((file) => relative(root, file))
    .filter((file) => !own.includes(file));
  assert.ok(others.includes("README.md") && others.includes("packages/testkit/README.md"));
  const hasTsx = (file: string) => snippetsOf(readFileSync(join(root, file), "utf8")).some(({ isTsx }) => isTsx);
  const ofPages = others.filter(hasTsx);
  assert.ok(ofPages.length > 0);
  assert.deepEqual(await snippetErrors(ofPages, otherAmbient), []);
  const ofPrograms = others.filter((file) => !hasTsx(file));
  assert.deepEqual(await snippetErrors(ofPrograms, otherAmbient, { onBun: true }), []);
});

test("a snippet is found with its line, and what is wrong in it too", async () => {
  assert.deepEqual(snippetsOf("# A\n\n```ts\nconst a = 1;\n```\n\n```sh\nls\n```\n"), [
    { line: 4, code: "const a = 1;\n" },
  ]);
  const wrong = ambient.replace("declare const thread:", "declare const other:");
  const errors = await snippetErrors(["docs/client.md"], wrong);
  assert.ok(
    errors.some((error) => /docs-client-md-\d+\.ts\(\d+,\d+\): .*'thread'/.test(error)),
    errors.join("\n"),
  );
});
