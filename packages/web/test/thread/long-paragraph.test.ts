import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { settled } from "../stories/log/settled.ts";
import { openStories, type Stories } from "../stories/log/story-page.ts";
import { soon } from "../support/soon.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
after(() => stories[Symbol.asyncDispose]());

test("a paragraph of 20,000 words grows in rows of bounded size, at its end, as one paragraph with all its words", async () => {
  await using story = await stories.open();
  const { page } = story;
  await page.evaluate(() => {
    const items = [{ type: "agentMessage" as const, id: "a", text: "" }];
    window.story.show([{ id: "t", items, turn: { status: "inProgress" }, running: ["a"] }]);
  });
  const log = page.getByRole("log");
  const longest = () =>
    page.locator(".md > p").evaluateAll((all) => Math.max(...all.map((each) => each.textContent?.length ?? 0)));
  for (let part = 0; part < 4; part += 1) {
    await page.evaluate(async (n) => {
      await window.story.stream("a", `w${n} `.repeat(5), 1000);
    }, part);
    assert.ok((await longest()) <= 4001, "a row is bounded");
    assert.ok((await log.locator(".thread-row").count()) < 20);
    const toEnd = () => log.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
    await soon(async () => assert.ok((await toEnd()) <= 1, "the end is in sight"));
  }
  await settled(page);
  const seams = await page.locator(".thread-row-item").evaluateAll((rows) =>
    rows.map((row) => {
      const box = row.querySelector(".md")?.getBoundingClientRect();
      return { top: box?.top ?? 0, bottom: box?.bottom ?? 0 };
    }),
  );
  const sorted = seams.toSorted((a, b) => a.top - b.top);
  for (const [index, { top }] of sorted.entries()) {
    if (index > 0) assert.ok(Math.abs(top - (sorted[index - 1]?.bottom ?? 0)) < 1, "no gap within the paragraph");
  }
  // What is in sight can be selected over the seams.
  const selected = await page.evaluate(() => {
    const rows = [...document.querySelectorAll(".thread-row-item .md > p")];
    const range = document.createRange();
    range.setStartBefore(rows[0] as Element);
    range.setEndAfter(rows.at(-1) as Element);
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
    return String(getSelection()).split(/\s+/).filter(Boolean);
  });
  assert.ok(selected.length > 1000);
  assert.ok(
    selected.every((word) => /^w[23]$/.test(word)),
    "no word is cut",
  );
});
