import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { assertAccessible } from "../support/axe.ts";
import { becomes, focusComesTo } from "../support/soon.ts";
import { openStories, type Stories } from "../support/stories.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
afterEach(() => stories.closePages());
after(() => stories.close());

test("settings hold at once, over a reload, and in other tabs", async () => {
  const page = await stories.open("settings");
  const other = await page.context().newPage();
  await other.goto(page.url());
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Theme").selectOption("light");
  for (const each of [page, other]) await each.locator("html[data-theme=light]").waitFor();
  await page.getByLabel("Send with").selectOption("modEnter");
  await page.reload();
  await page.locator("html[data-theme=light]").waitFor();
  const stored = await page.evaluate(() => localStorage.getItem("quire:preferences"));
  assert.match(stored ?? "", /"sendKey":"modEnter"/);
});

test("notifications need the browser's leave, and a refusal says how to mend it", async () => {
  const page = await stories.open("settings");
  await page.evaluate(() => {
    Notification.requestPermission = async () => "denied";
  });
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("switch", { name: /Notify me/ }).click();
  await page.getByText("The browser blocks notifications").waitFor();
  await becomes(() => page.getByRole("switch", { name: /Notify me/ }).isChecked(), false);
  await page.evaluate(() => {
    Notification.requestPermission = async () => "granted";
  });
  await page.getByRole("switch", { name: /Notify me/ }).click();
  await page.locator("[role=switch][aria-checked=true]").waitFor();
});

test("Esc closes the settings and gives the focus back", async () => {
  const page = await stories.open("settings");
  const opener = page.getByRole("button", { name: "Settings" });
  await opener.click();
  await page.getByRole("dialog", { name: "Settings" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await focusComesTo(opener);
});

test("the status names server, model, folder, permissions and usage", async () => {
  const page = await stories.open("status");
  const dialog = page.getByRole("dialog", { name: "Status" });
  for (const words of ["codex 0.166.0", "GPT-5.5", "/home/ada/engine", "Workspace", "Ask when needed", "74,324"]) {
    await dialog.getByText(words, { exact: true }).waitFor();
  }
});

for (const theme of ["dark", "light"] as const) {
  test(`settings and status are accessible, ${theme}`, async () => {
    const page = await stories.open("settings", { theme });
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("dialog").waitFor();
    await assertAccessible(page, "settings");
    const status = await stories.open("status", { theme });
    await status.getByRole("dialog").waitFor();
    await assertAccessible(status, "status");
  });
}
