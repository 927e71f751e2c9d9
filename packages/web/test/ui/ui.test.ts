import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { assertAccessible } from "../support/axe.ts";
import { becomes, focusComesTo, soon } from "../support/soon.ts";
import { callsOf, openStories, type Stories } from "../support/stories.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
afterEach(() => stories.closePages());
after(() => stories.close());

test("a menu is worked by keys alone, and the focus comes back to its button", async () => {
  const page = await stories.open("ui");
  const more = page.getByRole("button", { name: "More" });
  const item = (name: string) => page.getByRole("menuitem", { name });
  await more.focus();
  await page.keyboard.press("ArrowDown");
  await focusComesTo(item("Rename"));
  await page.keyboard.press("ArrowDown");
  await focusComesTo(item("Fork"));
  await page.keyboard.press("End");
  await focusComesTo(item("Archive"));
  await page.keyboard.press("f");
  await focusComesTo(item("Fork"));
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  await focusComesTo(more);
  await page.keyboard.press("Enter");
  await focusComesTo(item("Rename"));
  await page.keyboard.press("ArrowDown");
  await focusComesTo(item("Fork"));
  await page.keyboard.press("Enter");
  await page.getByRole("menu").waitFor({ state: "detached" });
  await becomes(async () => (await callsOf(page, "fork")).length, 1);
});

test("a disabled choice does nothing, and says why", async () => {
  const page = await stories.open("ui");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: /Not while a turn runs/ }).click({ force: true });
  assert.equal(await page.getByRole("menu").count(), 1);
  await page.mouse.click(5, 600);
  await page.getByRole("menu").waitFor({ state: "detached" });
  assert.deepEqual(await callsOf(page, "compact"), []);
});

test("a dialog holds the focus, closes by Esc or beside it, and gives the focus back", async () => {
  const page = await stories.open("ui");
  const opener = page.getByRole("button", { name: "Open dialog" });
  await opener.click();
  const dialog = page.getByRole("dialog", { name: "A dialog" });
  await dialog.waitFor();
  for (let step = 0; step < 6; step++) {
    await page.keyboard.press("Tab");
    const outside = await page.evaluate(() => {
      const active = document.activeElement;
      return active !== document.body && active?.closest("dialog") === null;
    });
    assert.equal(outside, false);
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await focusComesTo(opener);
  await opener.click();
  await dialog.waitFor();
  await page.mouse.click(5, 5);
  await dialog.waitFor({ state: "detached" });
});

test("a sheet is a dialog at the edge", async () => {
  const page = await stories.open("ui", { viewport: { width: 390, height: 780 } });
  await page.getByRole("button", { name: "Open sheet" }).click();
  const sheet = page.getByRole("dialog", { name: "A sheet" });
  await becomes(async () => (await sheet.boundingBox())?.x, 0);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

test("tabs follow the arrow keys, and only the selected one is in the tab order", async () => {
  const page = await stories.open("ui");
  await page.getByRole("tab", { name: "One" }).focus();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("tab", { name: "Three", selected: true }).waitFor();
  await page.getByText("Nothing in three").waitFor();
  assert.equal(await page.locator("[role=tab][tabindex='0']").count(), 1);
});

test("a tooltip names a button for the eye and its keys, also by keyboard", async () => {
  const page = await stories.open("ui");
  await page.getByRole("button", { name: "Copy" }).hover();
  await page.locator(".ui-tooltip", { hasText: "Copy" }).waitFor();
  await page.mouse.move(5, 600);
  await page.locator(".ui-tooltip").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Disabled" }).focus();
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Danger" }).focus();
  await page.keyboard.press("Tab");
  await page.locator(".ui-tooltip", { hasText: "Copy" }).waitFor();
});

test("on a phone a menu comes up from the bottom", async () => {
  const page = await stories.open("ui", { viewport: { width: 390, height: 780 } });
  await page.getByRole("button", { name: "More" }).click();
  await soon(async () => {
    const box = await page.locator(".ui-menu").boundingBox();
    assert.ok(box !== null && Math.round(box.y + box.height) === 780 && Math.round(box.width) === 390);
  });
});

for (const theme of ["dark", "light"] as const) {
  test(`the primitives are accessible, ${theme}`, async () => {
    const page = await stories.open("ui", { theme });
    await assertAccessible(page, `primitives (${theme})`);
    await page.getByRole("button", { name: "Open dialog" }).click();
    await page.getByRole("dialog").waitFor();
    await assertAccessible(page, `dialog (${theme})`);
  });
}
