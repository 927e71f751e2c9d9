import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "../support/axe.ts";
import { becomes, focusComesTo, soon } from "../support/soon.ts";
import { callsOf, openStories, type Stories } from "../support/stories.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
afterEach(() => stories.closePages());
after(() => stories.close());

const shows = (page: Page, words: string) =>
  page.waitForFunction((wanted) => document.querySelector(".xterm-rows")?.textContent?.includes(wanted), words);

/** Opens a terminal whose shell is there, and which takes what is typed. */
async function openTerminal(theme: "dark" | "light" = "dark"): Promise<Page> {
  const page = await stories.open("terminal", { theme });
  await shows(page, "ready true");
  await page.getByText("Opening the terminal").waitFor({ state: "detached" });
  await focusComesTo(page.locator(".xterm-helper-textarea"));
  return page;
}

test("the terminal shows what comes and sends what is typed", async () => {
  const page = await openTerminal();
  await page.keyboard.type("ls");
  await shows(page, "$ ls");
  await becomes(() => callsOf(page, "write"), [["l"], ["s"]]);
});

test("the terminal follows the size of the window", async () => {
  const page = await openTerminal();
  await page.setViewportSize({ width: 500, height: 700 });
  // Others may come before: its rows change as well when what says that it opens goes away.
  await soon(async () => {
    const [size] = ((await callsOf(page, "resize")).at(-1) ?? []) as { cols: number; rows: number }[];
    assert.ok(size !== undefined && size.cols > 20 && size.cols < 100, JSON.stringify(size));
  });
});

test("a shell that ended says so and can be started anew", async () => {
  const page = await openTerminal();
  await page.keyboard.press("Control+d");
  await page.getByText("The shell has ended with code 3.").waitFor();
  const opened = async () => (await callsOf(page, "attach")).length;
  const before = await opened();
  await page.getByRole("button", { name: "Restart shell" }).last().click();
  await becomes(opened, before + 1);
});

test("a terminal is ended by its button", async () => {
  const page = await openTerminal();
  const closed = async () => (await callsOf(page, "end")).length;
  const before = await closed();
  await page.getByRole("button", { name: "End terminal" }).click();
  await page.getByText("closed").waitFor();
  await becomes(closed, before + 1);
});

test("Ctrl+J gets out of the terminal, which has all other keys", async () => {
  const page = await openTerminal();
  await page.keyboard.press("Control+k");
  await becomes(() => callsOf(page, "write"), [["\u000b"]]);
  await page.keyboard.press("Control+j");
  await page.getByText("closed").waitFor();
  assert.deepEqual(await callsOf(page, "write"), [["\u000b"]]);
});

test("a server without terminals is told as such", async () => {
  const page = await stories.open("terminal?failing");
  await page.getByText("command/exec needs Codex 0.118 or later").waitFor();
  const away = await stories.open("terminal?offline");
  await away.getByText("No terminal here").waitFor();
});

for (const theme of ["dark", "light"] as const) {
  test(`the terminal is accessible, ${theme}`, async () => {
    await assertAccessible(await openTerminal(theme), "the terminal");
  });
}
