import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import type { Page } from "playwright-core";
import { becomes, focusComesTo, soon } from "../support/soon.ts";
import { callsOf, openStories, type Stories } from "../support/stories.ts";
import { offers } from "./offers.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
afterEach(() => stories.closePages());
after(() => stories.close());

const box = (page: Page) => page.getByRole("textbox", { name: "Message" });
const queue = (page: Page) => page.getByRole("list", { name: "Queued messages" });
const text = (words: string) => ({ type: "text", text: words, text_elements: [] });

const calls = (page: Page, name: string, expected: readonly (readonly unknown[])[]) =>
  becomes(() => callsOf(page, name), expected);
const holds = (page: Page, words: string) => becomes(() => box(page).inputValue(), words);

test("Enter sends, Shift+Enter makes a line, and the box grows with its lines", async () => {
  const page = await stories.open("composer");
  await box(page).fill("one");
  const height = async () => (await box(page).boundingBox())?.height ?? 0;
  const before = await height();
  await box(page).press("Shift+Enter");
  await box(page).pressSequentially("two");
  await box(page).press("Shift+Enter");
  await soon(async () => assert.ok((await height()) > before));
  await box(page).press("Enter");
  await calls(page, "send", [[[text("one\ntwo")], {}]]);
  await holds(page, "");
});

test("with the other send key Enter makes a line and Ctrl+Enter sends", async () => {
  const page = await stories.open("composer");
  await page.evaluate(() => localStorage.setItem("quire:preferences", JSON.stringify({ sendKey: "modEnter" })));
  await page.reload();
  await box(page).fill("one");
  await box(page).press("Enter");
  await box(page).pressSequentially("two");
  await box(page).press("Control+Enter");
  await calls(page, "send", [[[text("one\ntwo")], {}]]);
});

test("nothing is sent while there is nothing to send, and Send says so", async () => {
  const page = await stories.open("composer");
  const disabled = () => page.getByRole("button", { name: "Send" }).isDisabled();
  await becomes(disabled, true);
  await box(page).fill("   ");
  await box(page).press("Enter");
  await becomes(disabled, true);
  // What is sent next is the first that is sent.
  await box(page).fill("something");
  await becomes(disabled, false);
  await box(page).press("Enter");
  await calls(page, "send", [[[text("something")], {}]]);
});

test("a server that is away keeps the message in the box, with the reason beside it", async () => {
  const page = await stories.open("composer?offline");
  await box(page).fill("later");
  await box(page).press("Enter");
  await becomes(() => page.getByRole("button", { name: "Send" }).isDisabled(), true);
  await holds(page, "later");
  const described = await box(page).getAttribute("aria-describedby");
  assert.match((await page.locator(`[id="${described}"]`).textContent()) ?? "", /not connected/);
});

test("a message that could not be sent comes back with the reason", async () => {
  const page = await stories.open("composer?failing");
  await box(page).fill("try this");
  await box(page).press("Enter");
  await page.getByRole("alert").getByText("The model is overloaded").waitFor();
  await holds(page, "try this");
});

test("a draft is there after a reload, and gone once it was sent", async () => {
  const page = await stories.open("composer");
  await box(page).fill("half a thought");
  await page.reload();
  await holds(page, "half a thought");
  await box(page).press("Enter");
  await calls(page, "send", [[[text("half a thought")], {}]]);
  await holds(page, "");
  await page.reload();
  // A draft is in the box from the first moment that there is one.
  assert.equal(await box(page).inputValue(), "");
});

test("@ names a file that fuzzyFileSearch found", async () => {
  const page = await stories.open("composer");
  await box(page).pressSequentially("read @mil");
  await offers(page, ["mill.ts"]);
  const active = await box(page).getAttribute("aria-activedescendant");
  assert.equal(await page.locator(`[id="${active}"]`).getAttribute("aria-selected"), "true");
  await box(page).press("Enter");
  await holds(page, "read @src/engine/mill.ts ");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  assert.deepEqual(await callsOf(page, "send"), []);
});

test("arrow keys choose another file, Tab takes it, Esc closes the list", async () => {
  const page = await stories.open("composer");
  const found = ["engine.ts", "mill.ts", "engine/", "engine.test.ts"];
  await box(page).pressSequentially("@engine");
  await offers(page, found);
  await box(page).press("ArrowDown");
  await page.getByRole("option", { name: /mill\.ts/, selected: true }).waitFor();
  await box(page).press("Tab");
  await holds(page, "@src/engine/mill.ts ");
  await box(page).pressSequentially("@eng");
  await offers(page, found);
  await box(page).press("Escape");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  await holds(page, "@src/engine/mill.ts @eng");
});

test("$ names a skill, which goes along with the message; a price is none", async () => {
  const page = await stories.open("composer");
  await box(page).pressSequentially("use $rel");
  await offers(page, ["$release"]);
  await page.getByRole("option", { name: /\$release/ }).click();
  await holds(page, "use $release ");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  await box(page).pressSequentially("for $5");
  await holds(page, "use $release for $5");
  assert.equal(await page.getByRole("listbox").count(), 0);
  await box(page).press("Enter");
  const skill = { type: "skill", name: "release", path: "/home/ada/.codex/skills/release/SKILL.md" };
  await calls(page, "send", [[[text("use $release for $5"), skill], {}]]);
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
  await offers(page, ["/compact"]);
  await box(page).press("Enter");
  await calls(page, "command", [["compact", ""]]);
  await holds(page, "");
});

test("/rename waits for a name, /review takes what to look at", async () => {
  const page = await stories.open("composer");
  await box(page).pressSequentially("/ren");
  await offers(page, ["/rename name"]);
  await box(page).press("Enter");
  await holds(page, "/rename ");
  await box(page).press("Enter");
  await page.getByRole("alert").getByText("/rename needs a name").waitFor();
  await box(page).pressSequentially("The mill");
  await box(page).press("Enter");
  await calls(page, "command", [["rename", "The mill"]]);
  await box(page).fill("/review the error paths");
  await box(page).press("Enter");
  await calls(page, "command", [
    ["rename", "The mill"],
    ["review", "the error paths"],
  ]);
});

test("Enter right behind the last letter takes the command of the whole word", async () => {
  const page = await stories.open("composer");
  await box(page).pressSequentially("/re");
  await offers(page, ["/review [what to look at]", "/rename name"]);
  await box(page).evaluate((element) => {
    document.execCommand("insertText", false, "n");
    element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  });
  await holds(page, "/rename ");
});

test("a path at the start of a message is no command", async () => {
  const page = await stories.open("composer");
  await box(page).fill("/usr/bin/env is missing");
  await box(page).press("Enter");
  await calls(page, "send", [[[text("/usr/bin/env is missing")], {}]]);
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
  // The model that holds has the focus first.
  await focusComesTo(page.getByRole("menuitemradio", { checked: true }).first());
  await page.keyboard.press("ArrowDown");
  await focusComesTo(page.getByRole("menuitemradio", { name: /GPT-5.5 mini/ }));
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Model:/ }).click();
  await page.getByRole("menuitemradio", { name: /High/ }).click();
  await page.getByRole("button", { name: /^Permissions:/ }).click();
  await page.getByRole("menuitemradio", { name: /Read only/ }).click();
  await page.getByRole("button", { name: /^Permissions:/ }).click();
  await page.getByRole("menuitemradio", { name: /Never ask/ }).click();
  await box(page).fill("go");
  await box(page).press("Enter");
  const overrides = {
    model: "gpt-5.5-mini",
    effort: "high",
    sandboxPolicy: { type: "readOnly" },
    approvalPolicy: "never",
  };
  await calls(page, "send", [[[text("go")], overrides]]);
});

test("while a turn runs a message steers it, Alt+Enter queues, and Stop stops", async () => {
  const page = await stories.open("composer?working");
  await box(page).fill("faster");
  await box(page).press("Enter");
  await calls(page, "steer", [[[text("faster")]]]);
  await box(page).fill("then the tests");
  await box(page).press("Alt+Enter");
  await queue(page).getByText("then the tests").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  await calls(page, "stop", [[]]);
});

test("queued messages survive a reload, can be edited and removed", async () => {
  const page = await stories.open("composer?working");
  for (const words of ["first", "second"]) {
    await box(page).fill(words);
    await box(page).press("Alt+Enter");
    await queue(page).getByText(words, { exact: true }).waitFor();
  }
  await page.reload();
  await page.getByRole("button", { name: "Remove: first" }).click();
  await page.getByRole("button", { name: "Edit: second" }).click();
  await queue(page).waitFor({ state: "detached" });
  await holds(page, "second");
});

test("the toggle lets messages wait for the turn to end", async () => {
  const page = await stories.open("composer?working");
  await page.getByRole("button", { name: "Queue messages until the turn ends" }).click();
  await box(page).fill("after that");
  await box(page).press("Enter");
  await queue(page).getByText("after that").waitFor();
  assert.deepEqual(await callsOf(page, "steer"), []);
});

test("a queued message can be sent at once", async () => {
  const page = await stories.open("composer?working");
  await box(page).fill("hurry");
  await box(page).press("Alt+Enter");
  await page.getByRole("button", { name: "Send now: hurry" }).click();
  await queue(page).waitFor({ state: "detached" });
  await calls(page, "steer", [[[text("hurry")]]]);
});

test("Esc leaves the text, so that keys answer questions", async () => {
  const page = await stories.open("composer");
  await box(page).fill("x");
  await box(page).press("Escape");
  await focusComesTo(page.locator("body"));
});

test("a name that no file has is told as such", async () => {
  const page = await stories.open("composer");
  await box(page).pressSequentially("@");
  await page.getByRole("option").first().waitFor();
  await box(page).pressSequentially("zzz");
  await page.getByText("No matching files").waitFor();
});
