import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { assertAccessible } from "../support/axe.ts";
import { callsOf, openStories, type Stories } from "../support/stories.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
afterEach(() => stories.closePages());
after(() => stories.close());

test("Ctrl+K opens the palette, letters find a thread, Enter opens it", async () => {
  const page = await stories.open("palette");
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Command palette" }).waitFor();
  await page.keyboard.type("fgt");
  assert.match((await page.getByRole("option").first().textContent()) ?? "", /Fix the flaky gateway test/);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.equal((await callsOf(page, "open t2")).length, 1);
});

test("arrow keys choose, > leaves only actions, folders are found as well", async () => {
  const page = await stories.open("palette");
  await page.keyboard.press("Control+k");
  const input = page.getByRole("combobox");
  await input.fill(">");
  assert.equal(await page.getByRole("option").count(), 3);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const active = await input.getAttribute("aria-activedescendant");
  assert.match((await page.locator(`[id="${active}"]`).textContent()) ?? "", /Settings/);
  await input.fill("quire");
  assert.match((await page.getByRole("option").first().textContent()) ?? "", /gateway/);
  await input.fill("zzzz");
  await page.getByText("Nothing matches “zzzz”").waitFor();
});

test("Esc closes it and gives the focus back; names are text, whatever they hold", async () => {
  const page = await stories.open("palette");
  await page.getByRole("button", { name: "Before" }).focus();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("img");
  assert.match((await page.getByRole("option").first().textContent()) ?? "", /<img src=x/);
  assert.equal(await page.evaluate(() => (window as { hacked?: number }).hacked), undefined);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.ok(await page.getByRole("button", { name: "Before" }).evaluate((each) => each === document.activeElement));
});

test("? shows the shortcuts, but is a letter where text is written", async () => {
  const page = await stories.open("palette");
  await page.getByLabel("A field").focus();
  await page.keyboard.press("?");
  assert.equal(await page.getByRole("dialog").count(), 0);
  await page.getByLabel("A field").blur();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Approve for the session").waitFor();
});

for (const theme of ["dark", "light"] as const) {
  test(`palette and shortcuts are accessible, ${theme}`, async () => {
    const page = await stories.open("palette", { theme });
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("th");
    await page.getByRole("option").first().waitFor();
    await assertAccessible(page, "the palette");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await assertAccessible(page, "the shortcuts");
  });
}
