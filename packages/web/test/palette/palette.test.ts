import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "../support/axe.ts";
import { becomes, focusComesTo } from "../support/soon.ts";
import { callsOf, openStories, type Stories } from "../support/stories.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
afterEach(() => stories.closePages());
after(() => stories.close());

/** Opens the palette by its key; then its box takes what is typed. */
async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Command palette" }).waitFor();
  await focusComesTo(page.getByRole("combobox"));
}

/** Waits for what Enter would take: the first that was found. */
const first = (page: Page, words: RegExp) => page.getByRole("option").first().filter({ hasText: words }).waitFor();

test("Ctrl+K opens the palette, letters find a thread, Enter opens it", async () => {
  const page = await stories.open("palette");
  await openPalette(page);
  await page.keyboard.type("fgt");
  await first(page, /Fix the flaky gateway test/);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await becomes(async () => (await callsOf(page, "open t2")).length, 1);
});

test("arrow keys choose, > leaves only actions, folders are found as well", async () => {
  const page = await stories.open("palette");
  await openPalette(page);
  const input = page.getByRole("combobox");
  await input.fill(">");
  await becomes(() => page.getByRole("option").count(), 3);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const chosen = page.getByRole("option", { name: /Settings/, selected: true });
  await chosen.waitFor();
  await becomes(() => input.getAttribute("aria-activedescendant"), await chosen.getAttribute("id"));
  await input.fill("quire");
  await first(page, /gateway/);
  await input.fill("zzzz");
  await page.getByText("Nothing matches “zzzz”").waitFor();
});

test("Esc closes it and gives the focus back; names are text, whatever they hold", async () => {
  const page = await stories.open("palette");
  await page.getByRole("button", { name: "Before" }).focus();
  await openPalette(page);
  await page.keyboard.type("img");
  await first(page, /<img src=x/);
  assert.equal(await page.evaluate(() => (window as { hacked?: number }).hacked), undefined);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await focusComesTo(page.getByRole("button", { name: "Before" }));
});

test("? shows the shortcuts, but is a letter where text is written", async () => {
  const page = await stories.open("palette");
  await page.getByLabel("A field").focus();
  await page.keyboard.press("?");
  await becomes(() => page.getByLabel("A field").inputValue(), "?");
  assert.equal(await page.getByRole("dialog").count(), 0);
  await page.getByLabel("A field").blur();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Approve for the session").waitFor();
});

for (const theme of ["dark", "light"] as const) {
  test(`palette and shortcuts are accessible, ${theme}`, async () => {
    const page = await stories.open("palette", { theme });
    await openPalette(page);
    await page.keyboard.type("th");
    await page.locator(".palette-label mark").first().waitFor();
    await assertAccessible(page, "the palette");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await assertAccessible(page, "the shortcuts");
  });
}
