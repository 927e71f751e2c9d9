import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator } from "playwright-core";
import { openStories, type Stories } from "../../stories/log/story-page.ts";
import { assertAccessible } from "../../support/axe.ts";
import { becomes } from "../../support/soon.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
after(() => stories[Symbol.asyncDispose]());

const long = (word: string): string => `// begin ${word} ${"x".repeat(400)} end ${word}`;
const change = {
  path: "/work/app/long.txt",
  kind: { type: "update" as const },
  diff: `@@ -1,2 +1,2 @@\n-${long("left")}\n+${long("right")}\n same\n`,
};

/** Which of these words of the first row can be seen, each in its half of the diff. */
const seen = (lines: Locator): Promise<string[]> =>
  lines.evaluate((element) => {
    const whole = element.getBoundingClientRect();
    const middle = whole.left + element.clientWidth / 2;
    return [...element.querySelectorAll(".diff-half")].slice(0, 2).flatMap((half, side) => {
      const [from, to] = side === 0 ? [whole.left, middle] : [middle, whole.left + element.clientWidth];
      const nodes = document.createTreeWalker(half, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
        for (const { 0: word, index } of (node.textContent ?? "").matchAll(/(?:begin|end)/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const { left, right } = range.getBoundingClientRect();
          if (left >= from - 1 && right <= to + 1) found.push(`${word} ${side === 0 ? "left" : "right"}`);
        }
      }
      return found;
    });
  });

test("side by side, long lines leave both sides in sight, and both are read to their ends together", async () => {
  await using story = await stories.open({ width: 1280 });
  const { page, problems } = story;
  await page.evaluate((shown) => {
    localStorage.setItem("quire.diff", "split");
    window.story.show([{ id: "t", items: [{ type: "fileChange", id: "c", status: "completed", changes: [shown] }] }]);
  }, change);
  const lines = page.getByRole("group", { name: "Changes of /work/app/long.txt" });
  await lines.locator(".diff-half").first().waitFor();
  await becomes(() => seen(lines), ["begin left", "begin right"]);
  await lines.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  await becomes(() => seen(lines), ["end left", "end right"]);
  await assertAccessible(page, "A diff side by side");
  assert.deepEqual(problems, []);
});
