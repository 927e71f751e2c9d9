import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import type { Page } from "playwright-core";
import { becomes } from "../support/soon.ts";
import { callsOf, openStories, type Stories } from "../support/stories.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
afterEach(() => stories.closePages());
after(() => stories.close());

const box = (page: Page) => page.getByRole("textbox", { name: "Message" });
const text = (words: string) => ({ type: "text", text: words, text_elements: [] });

test("a mode is chosen where the server has several, and goes with the next message", async () => {
  const page = await stories.open("composer");
  assert.equal(await page.getByRole("button", { name: /^Mode:/ }).count(), 0);
  const choosing = await stories.open("composer?modes");
  await choosing.getByRole("button", { name: "Mode: Default" }).click();
  const choices = choosing.getByRole("menuitemradio");
  await becomes(() => choices.locator(".ui-menu-label").allTextContents(), ["Default", "Plan"]);
  await choices.filter({ hasText: "Plan" }).click();
  await choosing.getByRole("button", { name: "Mode: Plan" }).waitFor();
  await box(choosing).fill("look first");
  await box(choosing).press("Enter");
  const first = [[text("look first")], { mode: "plan" }];
  await becomes(() => callsOf(choosing, "send"), [first]);
  // It holds until another one is chosen, and is not sent again.
  await choosing.getByRole("button", { name: "Mode: Plan" }).waitFor();
  await box(choosing).fill("go on");
  await box(choosing).press("Enter");
  await becomes(() => callsOf(choosing, "send"), [first, [[text("go on")], {}]]);
});

for (const [story, width] of [
  ["composer", 390],
  ["composer?working", 390],
  ["composer", 768],
  ["composer", 1440],
] as const) {
  test(`what the empty box says fits in its line (${story}, ${width} px)`, async () => {
    const page = await stories.open(story, { viewport: { width, height: 800 } });
    const fits = await box(page).evaluate((element: HTMLTextAreaElement) => {
      const style = getComputedStyle(element);
      const context = document.createElement("canvas").getContext("2d");
      if (context === null) throw new Error("no canvas");
      context.font = style.font;
      const room = element.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      return context.measureText(element.placeholder).width <= room;
    });
    assert.ok(fits);
  });
}
