import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { assertAccessible } from "../support/axe.ts";
import { becomes } from "../support/soon.ts";
import { callsOf, openStories, type Stories, showStory } from "../support/stories.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
afterEach(() => stories.closePages());
after(() => stories.close());

test("changed files are listed with their counts, and open to their diff", async () => {
  const page = await stories.open("side-panel");
  await page.getByText("3 files").waitFor();
  await page.getByRole("button", { name: /mill\.ts/ }).click();
  await page.getByText("this.#report();").first().waitFor();
  await page.getByText("Last turn").click();
  await page.getByText("1 file", { exact: false }).first().waitFor();
  await page.getByRole("button", { name: /README/ }).waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => (window as { hacked?: number }).hacked), undefined);
});

test("arrow keys move between the tabs; the plan shows what is done", async () => {
  const page = await stories.open("side-panel");
  await page.getByRole("tab", { name: /Preview/ }).focus();
  await page.keyboard.press("ArrowRight");
  await page.getByText("1 of 3 steps done").waitFor();
  await page.getByRole("tab", { name: "Plan", selected: true }).waitFor();
  await page.getByRole("img", { name: "in progress" }).waitFor();
});

test("meters show the context window and the limits, and offer to compact", async () => {
  const page = await stories.open("side-panel?tab=usage");
  const context = page.getByRole("meter", { name: "Context window" });
  assert.equal(await context.getAttribute("aria-valuenow"), "79");
  assert.equal(await page.getByRole("meter", { name: "Week" }).getAttribute("aria-valuenow"), "93");
  await page.getByRole("button", { name: "Compact the thread" }).click();
  await becomes(async () => (await callsOf(page, "compact")).length, 1);
  const levels = await page
    .getByRole("tabpanel")
    .locator("h2, h3")
    .evaluateAll((all) => all.map(({ tagName }) => tagName));
  assert.equal(levels[0], "H2", "no level of headings is left out below the thread's own");
});

test("an API key signs in, a wrong one says why, and signing out works", async () => {
  const page = await stories.open("side-panel?tab=account");
  const key = page.getByLabel("API key");
  await key.fill("wrong");
  await page.getByRole("button", { name: "Use this key" }).click();
  await page.getByText("The key was refused").waitFor();
  await becomes(() => key.inputValue(), "");
  await key.fill("sk-1");
  await page.getByRole("button", { name: "Use this key" }).click();
  await page.getByText("Signed in").waitFor();
  assert.deepEqual((await callsOf(page, "login")).at(-1), [{ type: "apiKey", apiKey: "sk-1" }]);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("needs an account").waitFor();
});

test("a device code is shown with the page to enter it, and can be cancelled by its login", async () => {
  const page = await stories.open("side-panel?tab=account");
  await page.getByRole("button", { name: "Use a device code" }).click();
  await page.getByText("ABCD-1234").waitFor();
  assert.equal(
    await page.getByRole("link", { name: "Open the sign-in page" }).getAttribute("href"),
    "https://auth.example.org/",
  );
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Sign in with the browser" }).waitFor();
  assert.deepEqual(await callsOf(page, "cancelLogin"), [["l1"]]);
  await page.getByRole("button", { name: "Sign in with the browser" }).click();
  await page.getByText("Continue in the browser").waitFor();
});

test("MCP servers show state, tools, failures, and sign in by name", async () => {
  const page = await stories.open("side-panel?tab=mcp");
  await page.getByText("2 tools").click();
  await page.getByText("Reads a file").waitFor();
  await page.getByText("spawn broken ENOENT").waitFor();
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Open the sign-in page" }).waitFor();
  assert.deepEqual(await callsOf(page, "mcpLogin"), [["drive"]]);
});

test("without a thread, without a server and after a failure every panel says what to do", async () => {
  const empty = await stories.open("side-panel?empty");
  await empty.getByText("No thread yet").waitFor();
  await empty.getByRole("tab", { name: "Usage" }).click();
  await empty.getByText("Nothing used yet").waitFor();
  await empty.getByRole("tab", { name: "MCP" }).click();
  await empty.getByText("No MCP servers").waitFor();
  const away = await stories.open("side-panel?offline&tab=account");
  await away.getByText("Not connected", { exact: true }).waitFor();
  const failing = await stories.open("side-panel?failing&tab=account");
  await failing.getByRole("button", { name: "Try again" }).click();
  await becomes(async () => (await callsOf(failing, "reload")).length, 1);
});

for (const theme of ["dark", "light"] as const) {
  test(`the panels are accessible, ${theme}`, async () => {
    const page = await stories.open("side-panel", { theme });
    for (const tab of ["changes", "plan", "usage", "mcp", "account"]) {
      await showStory(page, `side-panel?tab=${tab}`);
      await page.getByRole("tabpanel").waitFor();
      await assertAccessible(page, `${tab} (${theme})`);
    }
  });
}
