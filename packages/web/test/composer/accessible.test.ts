import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { assertAccessible } from "../support/axe.ts";
import { openStories, type Stories } from "../support/stories.ts";
import { offers } from "./offers.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
afterEach(() => stories.closePages());
after(() => stories.close());

for (const theme of ["dark", "light"] as const) {
  test(`the composer is accessible, with its lists and menus, ${theme}`, async () => {
    const page = await stories.open("composer?working", { theme });
    const box = page.getByRole("textbox", { name: "Message" });
    await box.fill("later");
    await box.press("Alt+Enter");
    await page.getByRole("list", { name: "Queued messages" }).getByText("later").waitFor();
    await box.pressSequentially("@mil");
    await offers(page, ["mill.ts"]);
    await assertAccessible(page, "the list of files");
    await box.press("Escape");
    await page.getByRole("listbox").waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Model:/ }).click();
    await page.getByRole("menuitemradio").first().waitFor();
    await assertAccessible(page, "the menu of models");
    const away = await stories.open("composer?offline", { theme });
    await assertAccessible(away, "the composer without a server");
  });
}

test("on a phone everything fits, and the targets are large enough for a thumb", async () => {
  const page = await stories.open("composer?working", { viewport: { width: 390, height: 780 }, hasTouch: true });
  for (const name of ["Send", "Stop", "Attach images"]) {
    const size = await page.getByRole("button", { name }).boundingBox();
    assert.ok(size !== null && size.width >= 40 && size.height >= 40, name);
    assert.ok(size.x + size.width <= 390, name);
  }
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
});
