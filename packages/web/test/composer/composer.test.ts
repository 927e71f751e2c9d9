import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import type { Page } from "playwright-core";
import { callsOf, openStories, type Stories } from "../support/stories.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
afterEach(() => stories.closePages());
after(() => stories.close());

const box = (page: Page) => page.getByRole("textbox", { name: "Message" });
const text = (words: string) => ({ type: "text", text: words, text_elements: [] });

test("Enter sends, Shift+Enter makes a line, and the box grows with its lines", async () => {
  const page = await stories.open("composer");
  await box(page).fill("one");
  const before = (await box(page).boundingBox())?.height ?? 0;
  await box(page).press("Shift+Enter");
  await box(page).pressSequentially("two");
  await box(page).press("Shift+Enter");
  assert.ok(((await box(page).boundingBox())?.height ?? 0) > before);
  await box(page).press("Enter");
  await page.waitForFunction(() => window.calls.some((call) => call.name === "send"));
  assert.deepEqual(await callsOf(page, "send"), [[[text("one\ntwo")], {}]]);
  assert.equal(await box(page).inputValue(), "");
});

test("with the other send key Enter makes a line and Ctrl+Enter sends", async () => {
  const page = await stories.open("composer");
  await page.evaluate(() => localStorage.setItem("quire:preferences", JSON.stringify({ sendKey: "modEnter" })));
  await page.reload();
  await box(page).fill("one");
  await box(page).press("Enter");
  await box(page).pressSequentially("two");
  await box(page).press("Control+Enter");
  await page.waitForFunction(() => window.calls.some((call) => call.name === "send"));
  assert.deepEqual(await callsOf(page, "send"), [[[text("one\ntwo")], {}]]);
});

test("nothing is sent while there is nothing to send, and Send says so", async () => {
  const page = await stories.open("composer");
  assert.ok(await page.getByRole("button", { name: "Send" }).isDisabled());
  await box(page).fill("   ");
  await box(page).press("Enter");
  assert.ok(await page.getByRole("button", { name: "Send" }).isDisabled());
  assert.deepEqual(await callsOf(page, "send"), []);
});

test("a server that is away keeps the message in the box, with the reason beside it", async () => {
  const page = await stories.open("composer?offline");
  await box(page).fill("later");
  await box(page).press("Enter");
  assert.ok(await page.getByRole("button", { name: "Send" }).isDisabled());
  assert.equal(await box(page).inputValue(), "later");
  const described = await box(page).getAttribute("aria-describedby");
  assert.match((await page.locator(`[id="${described}"]`).textContent()) ?? "", /not connected/);
});

test("a message that could not be sent comes back with the reason", async () => {
  const page = await stories.open("composer?failing");
  await box(page).fill("try this");
  await box(page).press("Enter");
  await page.getByRole("alert").getByText("The model is overloaded").waitFor();
  assert.equal(await box(page).inputValue(), "try this");
});

test("a draft is there after a reload, and gone once it was sent", async () => {
  const page = await stories.open("composer");
  await box(page).fill("half a thought");
  await page.reload();
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "half a thought");
  await box(page).press("Enter");
  await page.waitForFunction(() => window.calls.some((call) => call.name === "send"));
  await page.reload();
  await box(page).waitFor();
  assert.equal(await box(page).inputValue(), "");
});

test("@ names a file that fuzzyFileSearch found", async () => {
  const page = await stories.open("composer");
  await box(page).pressSequentially("read @mil");
  await page.getByRole("option", { name: /mill\.ts/ }).waitFor();
  const active = await box(page).getAttribute("aria-activedescendant");
  assert.equal(await page.locator(`[id="${active}"]`).getAttribute("aria-selected"), "true");
  await box(page).press("Enter");
  assert.equal(await box(page).inputValue(), "read @src/engine/mill.ts ");
  assert.equal(await page.getByRole("listbox").count(), 0);
  assert.deepEqual(await callsOf(page, "send"), []);
});

test("arrow keys choose another file, Tab takes it, Esc closes the list", async () => {
  const page = await stories.open("composer");
  await box(page).pressSequentially("@engine");
  await page.getByRole("option").first().waitFor();
  await box(page).press("ArrowDown");
  await box(page).press("Tab");
  assert.equal(await box(page).inputValue(), "@src/engine/mill.ts ");
  await box(page).pressSequentially("@eng");
  await page.getByRole("option").first().waitFor();
  await box(page).press("Escape");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  assert.equal(await box(page).inputValue(), "@src/engine/mill.ts @eng");
});

test("$ names a skill, which goes along with the message; a price is none", async () => {
  const page = await stories.open("composer");
  await box(page).pressSequentially("use $rel");
  await page.getByRole("option", { name: /\$release/ }).click();
  assert.equal(await box(page).inputValue(), "use $release ");
  await box(page).pressSequentially("for $5");
  assert.equal(await page.getByRole("listbox").count(), 0);
  await box(page).press("Enter");
  await page.waitForFunction(() => window.calls.some((call) => call.name === "send"));
  const skill = { type: "skill", name: "release", path: "/home/ada/.codex/skills/release/SKILL.md" };
  assert.deepEqual(await callsOf(page, "send"), [[[text("use $release for $5"), skill], {}]]);
});

test("descriptions of skills are text, whatever they hold", async () => {
  const page = await stories.open("composer");
  await box(page).pressSequentially("$ref");
  const option = page.getByRole("option", { name: /\$refactor/ });
  await option.waitFor();
  assert.match((await option.textContent()) ?? "", /<img src=x/);
  assert.equal(await page.evaluate(() => (window as { hacked?: number }).hacked), undefined);
});

test("/ offers commands; Enter runs one that needs nothing behind it", async () => {
  const page = await stories.open("composer");
  await box(page).pressSequentially("/comp");
  await page.getByRole("option", { name: /\/compact/ }).waitFor();
  await box(page).press("Enter");
  await page.waitForFunction(() => window.calls.some((call) => call.name === "command"));
  assert.deepEqual(await callsOf(page, "command"), [["compact", ""]]);
  assert.equal(await box(page).inputValue(), "");
});

test("/rename waits for a name, /review takes what to look at", async () => {
  const page = await stories.open("composer");
  await box(page).pressSequentially("/ren");
  await page.getByRole("option", { name: /\/rename/ }).waitFor();
  await box(page).press("Enter");
  assert.equal(await box(page).inputValue(), "/rename ");
  await box(page).press("Enter");
  await page.getByRole("alert").getByText("/rename needs a name").waitFor();
  await box(page).pressSequentially("The mill");
  await box(page).press("Enter");
  await page.waitForFunction(() => window.calls.some((call) => call.name === "command"));
  await box(page).fill("/review the error paths");
  await box(page).press("Enter");
  await page.waitForFunction(() => window.calls.filter((call) => call.name === "command").length === 2);
  assert.deepEqual(await callsOf(page, "command"), [
    ["rename", "The mill"],
    ["review", "the error paths"],
  ]);
});

test("a path at the start of a message is no command", async () => {
  const page = await stories.open("composer");
  await box(page).fill("/usr/bin/env is missing");
  await box(page).press("Enter");
  await page.waitForFunction(() => window.calls.some((call) => call.name === "send"));
  assert.deepEqual(await callsOf(page, "send"), [[[text("/usr/bin/env is missing")], {}]]);
});

test("without a thread there are no commands that need one", async () => {
  const page = await stories.open("composer?new");
  await box(page).pressSequentially("/");
  await page.getByRole("option", { name: "/new" }).waitFor();
  assert.equal(await page.getByRole("option", { name: "/compact" }).count(), 0);
});

test("/model opens the picker; the model, effort, sandbox and approvals go with the next message", async () => {
  const page = await stories.open("composer");
  await box(page).fill("/model");
  await box(page).press("Enter");
  await page.getByRole("menuitemradio", { name: /GPT-5.5 mini/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Effort: Medium" }).click();
  await page.getByRole("menuitemradio", { name: /High/ }).click();
  await page.getByRole("button", { name: /^Sandbox:/ }).click();
  await page.getByRole("menuitemradio", { name: /Read only/ }).click();
  await page.getByRole("button", { name: /^Approvals:/ }).click();
  await page.getByRole("menuitemradio", { name: /Never ask/ }).click();
  await box(page).fill("go");
  await box(page).press("Enter");
  await page.waitForFunction(() => window.calls.some((call) => call.name === "send"));
  const overrides = {
    model: "gpt-5.5-mini",
    effort: "high",
    sandboxPolicy: { type: "readOnly" },
    approvalPolicy: "never",
  };
  assert.deepEqual(await callsOf(page, "send"), [[[text("go")], overrides]]);
});

test("while a turn runs a message steers it, Alt+Enter queues, and Stop stops", async () => {
  const page = await stories.open("composer?working");
  await box(page).fill("faster");
  await box(page).press("Enter");
  await page.waitForFunction(() => window.calls.some((call) => call.name === "steer"));
  assert.deepEqual(await callsOf(page, "steer"), [[[text("faster")]]]);
  await box(page).fill("then the tests");
  await box(page).press("Alt+Enter");
  await page.getByRole("list", { name: "Queued messages" }).getByText("then the tests").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  assert.equal((await callsOf(page, "stop")).length, 1);
});

test("queued messages survive a reload, can be edited and removed", async () => {
  const page = await stories.open("composer?working");
  for (const words of ["first", "second"]) {
    await box(page).fill(words);
    await box(page).press("Alt+Enter");
    await page.getByText(words, { exact: true }).waitFor();
  }
  await page.reload();
  await page.getByRole("button", { name: "Remove: first" }).click();
  await page.getByRole("button", { name: "Edit: second" }).click();
  await page.getByRole("list", { name: "Queued messages" }).waitFor({ state: "detached" });
  assert.equal(await box(page).inputValue(), "second");
});

test("the toggle lets messages wait for the turn to end", async () => {
  const page = await stories.open("composer?working");
  await page.getByRole("button", { name: "Queue messages until the turn ends" }).click();
  await box(page).fill("after that");
  await box(page).press("Enter");
  await page.getByRole("list", { name: "Queued messages" }).getByText("after that").waitFor();
  assert.deepEqual(await callsOf(page, "steer"), []);
});

test("a queued message can be sent at once", async () => {
  const page = await stories.open("composer?working");
  await box(page).fill("hurry");
  await box(page).press("Alt+Enter");
  await page.getByRole("button", { name: "Send now: hurry" }).click();
  await page.getByRole("list", { name: "Queued messages" }).waitFor({ state: "detached" });
  assert.deepEqual(await callsOf(page, "steer"), [[[text("hurry")]]]);
});

test("Esc leaves the text, so that keys answer questions", async () => {
  const page = await stories.open("composer");
  await box(page).fill("x");
  await box(page).press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "BODY");
});

test("a name that no file has is told as such", async () => {
  const page = await stories.open("composer");
  await box(page).pressSequentially("@");
  await page.getByRole("option").first().waitFor();
  await box(page).pressSequentially("zzz");
  await page.getByText("No file here has such a name.").waitFor();
});
