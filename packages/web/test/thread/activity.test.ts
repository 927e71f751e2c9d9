import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { HookRunSummary } from "@quire/protocol";
import { openStories, type Stories } from "../stories/log/story-page.ts";
import { assertAccessible } from "../support/axe.ts";
import { becomes } from "../support/soon.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
after(() => stories[Symbol.asyncDispose]());

const command = { type: "commandExecution", id: "c", command: "make", commandActions: [], cwd: "/work/app" } as const;
const question = {
  id: "q",
  hub: "hub",
  threadId: "thread",
  turnId: "t",
  itemId: "c",
  method: "x",
  params: {},
} as const;

test("a command that needs an answer says that it waits for you, and runs only once it is answered", async () => {
  await using story = await stories.open();
  const { page } = story;
  await page.evaluate(
    ([item, request]) => {
      const shown = { ...item, status: "inProgress" as const, commandActions: [] };
      const turn = { id: "t", items: [shown], turn: { status: "inProgress" as const }, running: ["c"] };
      window.story.show([turn], { pending: [{ ...request, answered: null }] });
    },
    [command, question] as const,
  );
  const log = page.getByRole("log");
  await log.getByRole("button", { name: /^Run make waits for you/ }).waitFor();
  await log.getByText("Running").waitFor({ state: "detached" });
  await assertAccessible(page, "A command that waits");
  await page.evaluate((request) => {
    window.story.change({ pending: [{ ...request, answered: { label: "Approved", byMe: true } }] });
  }, question);
  await log.getByRole("button", { name: /^Running make/ }).waitFor();
  await log.getByText("waits for you").waitFor({ state: "detached" });
});

const run = (event: HookRunSummary["eventName"], rest: Partial<HookRunSummary> = {}): HookRunSummary => ({
  id: `${event}:0:/work/app/.codex/hooks.json`,
  ...{ displayOrder: 0, entries: [], eventName: event, executionMode: "sync", handlerType: "command", scope: "turn" },
  ...{ sourcePath: "/work/app/.codex/hooks.json", startedAt: 1, status: "completed", durationMs: 30 },
  ...rest,
});

test("hooks are a folded line at their place: what they did, what they said, and what they kept from happening", async () => {
  await using story = await stories.open();
  const { page, problems } = story;
  const hooks = [
    { run: run("userPromptSubmit"), afterItem: "u" },
    // By its id it belongs to the command, though it came before it.
    { run: run("preToolUse", { id: "pre:0:/work/app/.codex/hooks.json:c" }), afterItem: "u" },
    {
      run: run("postToolUse", {
        ...{ id: "post:0:/work/app/.codex/hooks.json:c", status: "blocked" },
        entries: [{ kind: "feedback", text: "Run the formatter first." }],
      }),
      afterItem: "c",
    },
  ];
  await page.evaluate(
    ([item, list]) => {
      const user = { type: "userMessage" as const, id: "u", content: [{ type: "text" as const, text: "Build it." }] };
      const done = { ...item, status: "completed" as const, exitCode: 0, commandActions: [] };
      const said = { type: "agentMessage" as const, id: "m", text: "Built." };
      window.story.show([{ id: "t", items: [user, done, said], turn: { hooks: list } }]);
    },
    [command, hooks] as const,
  );
  const log = page.getByRole("log");
  await log.getByText("Built.").waitFor();
  const lines = async () => (await log.locator("[data-row]").allTextContents()).slice(0, 5);
  await becomes(lines, [
    "Build it.",
    "Hookon your message",
    "Ranmake",
    "2 hooksRun the formatter first.blocked",
    "Built.",
  ]);
  await log.getByRole("button", { name: /^2 hooks/ }).click();
  await log.getByText("before a tool").waitFor();
  await log.getByText("after a tool").waitFor();
  await log.getByText(".codex/hooks.json").first().waitFor();
  await log.getByText("Feedback").waitFor();
  await assertAccessible(page, "Hooks");
  assert.deepEqual(problems, []);
});

test("a turn of which the server has no diff any more still says what it changed", async () => {
  await using story = await stories.open();
  const { page } = story;
  await page.evaluate(() => {
    const change = (path: string, diff: string) => ({
      path: `/work/app/${path}`,
      kind: { type: "add" as const },
      diff,
    });
    const made = (id: string, changes: ReturnType<typeof change>[], status: "completed" | "declined") => ({
      ...{ type: "fileChange" as const, id, status, changes },
    });
    const items = [
      made("1", [change("a.txt", "one\n"), change("b.txt", "two\nlines\n")], "completed"),
      made("2", [change("never.txt", "three\n")], "declined"),
    ];
    window.story.show([{ id: "t", items }]);
  });
  const line = page.getByRole("log").getByRole("button", { name: /^2 files changed/ });
  await line.getByText("a.txt, b.txt").waitFor();
  await line.getByText("+3").waitFor();
});
