/** Pieces of code in the guides run, one after the other, on the real Codex with a scripted model. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { after, test } from "node:test";
import { reply } from "@quire/testkit";
import { documents } from "../../scripts/lib/embed.ts";
import { root } from "../../scripts/lib/workspace.ts";
import { exampleStage } from "../lib/example-stage.ts";
import { ownSnippets, programOf } from "../lib/pieces.ts";

/** A guide whose pieces are run. */
interface Guide {
  /** The variables that its pieces assume. */
  readonly prelude: string;
  /** Pieces that cannot run here, by a text in them, with the reason. */
  readonly left: Readonly<Record<string, string>>;
}

const guides: Readonly<Record<string, Guide>> = {
  "docs/client.md": {
    prelude: `
import { CodexClient, ConnectionError, jsonSchema, pages, policies, RpcError, tool, TurnError } from "@quire/client";
import { z } from "zod";
const codex = await CodexClient.spawn();
const thread = await codex.thread();
await thread.run("hello");
const signal = new AbortController().signal;`,
    left: {
      "// `codex app-server`": "needs servers at addresses",
      "await client.ended": "waits for the end of a server",
      "codex.resume(": "needs a stored thread",
      "thread.events({": "follows a thread for as long as it lives",
      "codex.fs.watch": "waits for somebody to change a file",
      "codex.account.login": "needs a login",
      getUserAgent: "shows a method that newer versions do not have",
      "ws://127.0.0.1": "needs a server at an address",
      "@ai-sdk/harness": "needs a sandbox of somebody; packages/cli/test/integration runs it in one of its own",
    },
  },
  "docs/agent.md": {
    prelude: `
import {
  allComplete, BudgetTracker, CodexAgent, createWorkspace, Deadline, deadlineFeedback, definePrompt, defineSlice,
  evaluateSideBySide, markdown, record, requiredFiles, Session, SessionSnapshot, section, skill, staticFeedback, ToolInvoked,
  ToolResult, tool, WorkspaceSection,
} from "@quire/agent";
import { scriptedServer } from "@quire/testkit";
import { z } from "zod";
const agent = new CodexAgent();
const session = new Session();
const signal = new AbortController().signal;
const sections = [markdown({ key: "a", title: "A", template: "Say hello." })];
const bound = definePrompt({ ns: "docs", key: "bound", sections }).bind();
const lookup = tool({ name: "lookup", description: "Looks up", run: () => "found" });
const Closed = record("docs.closed", z.object({ id: z.number() }));
const planSlice = defineSlice(record("docs.plan", z.object({ done: z.boolean() })), { initial: () => ({ done: false }) });
const question = markdown({ key: "q", title: "Q", template: "$question", params: z.object({ question: z.string() }) });
const answer = definePrompt({ ns: "docs", key: "answer", sections: [question] });`,
    left: {},
  },
  "docs/errors.md": {
    prelude: `
import { CodexClient } from "@quire/client";
const codex = await CodexClient.spawn();
const thread = await codex.thread();`,
    left: {},
  },
  "docs/recipes/approvals-ui.md": { prelude: "", left: {} },
  "docs/recipes/approvals.md": { prelude: 'import { CodexClient } from "@quire/client";', left: {} },
  "docs/recipes/evals.md": {
    prelude: `
import { CodexAgent, definePrompt as define, markdown as part } from "@quire/agent";
import { z } from "zod";
const agent = new CodexAgent();
const question = part({ key: "q", title: "Q", template: "$question", params: z.object({ question: z.string() }) });
const makePrompt = (input: string) => define({ ns: "docs", key: "ask", sections: [question] }).bind({ question: input });
const dataset = [{ input: "hello", expected: "Hello" }];`,
    left: { "evals/first.json": "needs a report of the reader" },
  },
};

// Within the repository, so that its packages are found.
mkdirSync(join(root, ".cache"), { recursive: true });
const folder = mkdtempSync(join(root, ".cache", "pieces-"));
after(() => rmSync(folder, { recursive: true }));

test("every document with code of its own is run, by pieces or as programs", () => {
  const all = documents().map((file) => relative(root, file));
  const withCode = all.filter((file) => ownSnippets(file).length > 0);
  const programs = readFileSync(join(import.meta.dirname, "programs.test.ts"), "utf8");
  assert.deepEqual(
    withCode.filter((file) => !guides[file] && !programs.includes(`"${file}": {`)),
    [],
  );
});

for (const [document, { prelude, left }] of Object.entries(guides)) {
  test(`${document}: its pieces run, one after the other`, { timeout: 120_000 }, async () => {
    const all = ownSnippets(document);
    const pieces = all.filter(({ code }) => !Object.keys(left).some((text) => code.includes(text)));
    assert.ok(pieces.length > 0, "it has no piece that can run");
    const needless = Object.keys(left).filter((text) => !all.some(({ code }) => code.includes(text)));
    assert.deepEqual(needless, [], "left out, but no piece has it");
    await using stage = await exampleStage();
    const { cwd } = stage.codex;
    // The folders of the reader.
    const placed = pieces.map(({ line, code }) => ({
      line,
      code: code.replace(/"\/home\/me(\/repo)?"/g, `"${cwd}"`).replaceAll('"/repo', `"${cwd}`),
    }));
    const file = join(folder, `${document.replace(/\W/g, "-")}.ts`);
    writeFileSync(file, programOf(prelude, placed));
    stage.model.fallback(() => reply().text('{"title":"Hello","files":["a"],"note":null}'));
    execFileSync("git", ["init", "-q", "-b", "main"], { cwd });
    const { output } = await stage.start(relative(root, file)).ended;
    const lines = output.split("\n").filter((line) => /^(ok|failed) \d+/.test(line));
    assert.deepEqual(
      lines,
      pieces.map(({ line }) => `ok ${line}`),
      output.slice(-2000),
    );
  });
}
