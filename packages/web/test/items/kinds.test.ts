import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ThreadItemType } from "@quire/protocol";
import { sampleItems, turnDiff } from "../stories/log/sample-items.ts";
import { settled } from "../stories/log/settled.ts";
import { openStories, type Stories } from "../stories/log/story-page.ts";
import { assertAccessible } from "../support/axe.ts";
import { becomes, soon } from "../support/soon.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
after(() => stories[Symbol.asyncDispose]());

/** What of each kind can be read without opening anything. A new kind of the protocol does not compile without its line. */
const shown: Readonly<Record<ThreadItemType, RegExp>> = {
  userMessage: /The queue takes one item more/,
  reasoning: /Thought.*Looking for the limit/s,
  agentMessage: /The queue let one item too many in/,
  commandExecution: /Ran.*bun test test\/queue\.test\.ts --timeout 5000 && echo done.*exit 1.*2\.3 s/s,
  fileChange: /Edited.*2 files.*\+5.*−2/s,
  mcpToolCall: /tracker · find_issues.*query: queue limit.*410 ms/s,
  dynamicToolCall: /editor · open_file.*path: src\/queue\.ts/s,
  functionCallOutput: /Tool output.*editor · open_file/s,
  collabAgentToolCall: /Started.*Look for other users.*Ada \(scout\).*Running.*Reading the worker pool/s,
  subAgentActivity: /Agent completed.*\/root\/scout.*gpt-5-mini/s,
  webSearch: /Searched the web.*bounded queue semantics.*1 result/s,
  imageView: /Looked at.*shot\.png/s,
  imageGeneration: /Made an image.*A queue of birds.*birds\.png/s,
  sleep: /Waited.*3\.0 s/s,
  hookPrompt: /Hook.*Run the formatter/s,
  plan: /Proposed plan.*Read the queue.*Fix push/s,
  enteredReviewMode: /Review started.*current changes/s,
  exitedReviewMode: /Review.*No findings\./s,
  contextCompaction: /Context compacted/,
};

test("every kind of item can be read, and none breaks the page", async () => {
  await using story = await stories.open({ height: 4000 });
  const { page, problems } = story;
  await page.evaluate((items) => window.story.show([{ id: "t", items }]), sampleItems);
  const log = page.getByRole("log", { name: "Conversation" });
  await log.getByText("Holodeck run").waitFor();
  const kinds = new Set<string>(sampleItems.map((item) => item.type));
  for (const [kind, pattern] of Object.entries(shown)) {
    assert.ok(kinds.has(kind), `there is a sample of ${kind}`);
    await soon(async () => assert.match((await log.textContent()) ?? "", pattern, kind));
  }
  assert.deepEqual(problems, []);
});

test("an item of an unknown kind shows its name, and its data when it is opened", async () => {
  await using story = await stories.open();
  const { page } = story;
  await page.evaluate((items) => window.story.show([{ id: "t", items }]), sampleItems.slice(-1));
  const line = page.getByRole("button", { name: /Holodeck run/ });
  assert.equal(await line.getAttribute("aria-expanded"), "false");
  assert.equal(await page.getByText("Paris, 22 years ago").count(), 0);
  await line.click();
  await page.getByText("Paris, 22 years ago").waitFor();
});

test("an item in a form that its view does not expect is shown as data, and the others stay", async () => {
  await using story = await stories.open();
  const { page } = story;
  await page.evaluate(() => {
    const odd = [
      { type: "fileChange", id: "odd", status: "completed" },
      { type: "hookPrompt", id: "odd-2" },
      { type: "agentMessage", id: "fine", text: "Still here." },
    ];
    window.story.show([{ id: "t", items: odd as never }]);
  });
  await page.getByText("Still here.").waitFor();
  await page.getByRole("button", { name: /File change/ }).click();
  await page.getByText('"completed"').waitFor();
});

test("a sub-agent leads to its thread, a picture by its path is read through the hub", async () => {
  await using story = await stories.open({ height: 4000 });
  const { page } = story;
  await page.evaluate((items) => window.story.show([{ id: "t", items }]), sampleItems);
  await page.getByRole("button", { name: "Ada (scout)" }).first().click();
  await becomes(() => page.evaluate(() => window.story.calls), ["open child-1"]);
  await page.getByRole("button", { name: "Enlarge shot.png" }).last().click();
  await page.getByRole("dialog", { name: "shot.png" }).getByRole("img").waitFor();
});

test("code and diffs get their colours, diffs in one column or two", async () => {
  await using story = await stories.open({ width: 1400, height: 3000 });
  const { page, problems } = story;
  await page.evaluate((items) => window.story.show([{ id: "t", items }]), sampleItems);
  await page.locator(".code-block .code-keyword", { hasText: "const" }).first().waitFor();
  await page.locator(".diff-removed .code-keyword", { hasText: "return" }).first().waitFor();
  assert.equal(await page.locator(".diff-half").count(), 0);
  await page.locator(".ui-segment", { hasText: "Split" }).first().click();
  await page.locator(".diff-half.diff-added .code-keyword", { hasText: "return" }).first().waitFor();
  assert.deepEqual(problems, []);
});

test("a diff that is written anew while it is shown gets the colours of its new lines", async () => {
  await using story = await stories.open();
  const { page } = story;
  const show = (diff: string) =>
    page.evaluate((text) => {
      const change = { path: "/work/app/sum.ts", kind: { type: "update" as const }, diff: text };
      window.story.show([
        { id: "t", items: [{ type: "fileChange", id: "c", status: "completed", changes: [change] }] },
      ]);
    }, diff);
  await show("@@ -1,2 +1,1 @@\n-const sum = 1;\n-// a comment\n+// another\n");
  await page.locator(".diff-added .code-comment").waitFor();
  await show("@@ -1,2 +1,2 @@\n-const sum = 1;\n+const sum = 2;\n+export { sum };\n");
  await page.locator(".diff-added .code-keyword").getByText("export", { exact: true }).waitFor();
  await page.locator(".diff-added .code-comment").waitFor({ state: "detached" });
});

test("a turn says what it changed, cost and how it ended", async () => {
  await using story = await stories.open();
  const { page } = story;
  await page.evaluate((diff) => {
    const counts = { inputTokens: 9000, outputTokens: 1200, cachedInputTokens: 0, reasoningOutputTokens: 0 };
    const spent = { ...counts, totalTokens: 10_200 };
    const codexErrorInfo = { responseStreamDisconnected: { httpStatusCode: 502 } };
    window.story.show([
      { id: "a", items: [], turn: { diff, spent } },
      { id: "b", items: [], turn: { status: "failed", error: { message: "reset by peer", codexErrorInfo } } },
      { id: "c", items: [], turn: { status: "interrupted" } },
    ]);
  }, turnDiff);
  for (const words of [
    /3 files changed.*queue\.ts, queue\.md, new\.txt.*\+4.*−2.*Done.*12 s.*9k in, 1\.2k out/s,
    /The connection broke during the answer \(HTTP 502\).*reset by peer.*Send the message again/s,
    /Stopped/,
  ]) {
    await soon(async () => assert.match((await page.getByRole("log").textContent()) ?? "", words));
  }
});

for (const [theme, width] of [
  ["dark", 1400],
  ["light", 390],
] as const) {
  test(`the log has no serious accessibility problem (${theme}, ${width} px)`, async () => {
    await using story = await stories.open({ theme, width, height: 3500 });
    const { page } = story;
    await page.evaluate((items) => window.story.show([{ id: "t", items }]), sampleItems);
    await page.locator(".diff-removed .code-keyword").first().waitFor();
    await settled(page);
    await assertAccessible(page, "The log");
  });
}
