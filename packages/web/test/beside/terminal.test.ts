import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "../support/axe.ts";
import { callsOf, openStories, type Stories } from "../support/stories.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
afterEach(() => stories.closePages());
after(() => stories.close());

const shows = (page: Page, words: string) =>
  page.waitForFunction((wanted) => document.querySelector(".xterm-rows")?.textContent?.includes(wanted), words);

test("the terminal shows what comes and sends what is typed", async () => {
  const page = await stories.open("terminal");
  await shows(page, "ready true");
  await page.keyboard.type("ls");
  await shows(page, "$ ls");
  const written = await callsOf(page, "write");
  assert.deepEqual(written.flat(), ["l", "s"]);
});

test("the terminal follows the size of the window", async () => {
  const page = await stories.open("terminal");
  await shows(page, "ready");
  await page.setViewportSize({ width: 500, height: 700 });
  await page.waitForFunction(() => window.calls.some((call) => call.name === "resize"));
  const [size] = (await callsOf(page, "resize")).at(-1) as [{ cols: number; rows: number }];
  assert.ok(size.cols > 20 && size.cols < 100, JSON.stringify(size));
});

test("a shell that ended says so and can be started anew", async () => {
  const page = await stories.open("terminal");
  await shows(page, "ready");
  await page.keyboard.press("Control+d");
  await page.getByText("The shell has ended with code 3.").waitFor();
  const opened = (await callsOf(page, "open")).length;
  await page.getByRole("button", { name: "Start anew" }).last().click();
  await page.waitForFunction((count) => window.calls.filter((call) => call.name === "open").length > count, opened);
});

test("closing the drawer ends the shell", async () => {
  const page = await stories.open("terminal");
  await shows(page, "ready");
  const before = (await callsOf(page, "close")).length;
  await page.getByRole("button", { name: "Close terminal" }).click();
  await page.getByText("closed").waitFor();
  assert.equal((await callsOf(page, "close")).length, before + 1);
});

test("Ctrl+J gets out of the terminal, which has all other keys", async () => {
  const page = await stories.open("terminal");
  await shows(page, "ready");
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Control+j");
  await page.getByText("closed").waitFor();
  assert.deepEqual((await callsOf(page, "write")).flat(), ["\u000b"]);
});

test("a server without terminals is told as such", async () => {
  const page = await stories.open("terminal?failing");
  await page.getByText("command/exec needs Codex 0.118 or later").waitFor();
  const away = await stories.open("terminal?offline");
  await away.getByText("No terminal here").waitFor();
});

for (const theme of ["dark", "light"] as const) {
  test(`the terminal is accessible, ${theme}`, async () => {
    const page = await stories.open("terminal", { theme });
    await shows(page, "ready");
    await assertAccessible(page, "the terminal");
  });
}
