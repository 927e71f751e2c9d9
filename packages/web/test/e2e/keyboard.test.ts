import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { eventually } from "@quire/testkit";
import type { Locator } from "playwright-core";
import { openStage, type Stage } from "./support/stage.ts";

let stage: Stage;
before(async () => {
  stage = await openStage({ offline: true });
});
afterEach(() => stage.closeTabs());
after(() => stage[Symbol.asyncDispose]());

/** Waits until something has the focus. */
async function focused(place: Locator, what: string): Promise<void> {
  await eventually(() => place.evaluate((element) => element === document.activeElement), {
    what: `the focus to be on ${what}`,
  });
}

test("everything from the first message to the archive is done without a mouse", async () => {
  const screen = await stage.tab();
  const { page, message } = screen;
  const { keyboard } = page;
  await focused(message, "the message");
  await keyboard.type("say: first");
  await keyboard.press("Enter");
  await page.waitForURL(/#\/thread\//);
  await screen.ended();
  await focused(message, "the message of the thread that began");

  await keyboard.press("Control+j");
  await focused(page.getByRole("textbox", { name: "Terminal input" }), "the terminal");
  await keyboard.press("Control+j");
  await focused(message, "the message, after the terminal");

  await keyboard.press("Control+k");
  await keyboard.type("panel");
  await keyboard.press("Enter");
  await page.getByRole("complementary", { name: "Beside the thread" }).waitFor();
  await screen.button("Close panel").focus();
  await keyboard.press("Enter");
  await focused(message, "the message, after the panel");

  await keyboard.press("Escape");
  await keyboard.press("m");
  await focused(message, "the message, by its key");
  assert.equal(await message.inputValue(), "");

  await screen.button("Hide sidebar").focus();
  await keyboard.press("Enter");
  await focused(screen.button("Show sidebar"), "the button that shows the sidebar");
  await keyboard.press("Enter");
  await focused(screen.button("Hide sidebar"), "the button that hides the sidebar");

  await screen.button(/^Actions for say: first/).focus();
  await keyboard.press("Enter");
  await focused(page.getByRole("menuitem", { name: "Rename" }), "the menu");
  await keyboard.press("Enter");
  await keyboard.type("Renamed");
  await keyboard.press("Enter");
  await focused(screen.thread(/Renamed/), "the thread that was renamed");
  await screen.button("Thread actions").focus();
  await keyboard.press("Enter");
  await focused(page.getByRole("menuitem", { name: "Rename" }), "the menu");
  await keyboard.press("Enter");
  await focused(page.getByRole("main").getByRole("textbox", { name: "Thread name" }), "the name");
  await keyboard.press("Enter");
  await focused(screen.button("Thread actions"), "the menu's button");
  assert.equal(await page.getByRole("menu").count(), 0);

  await screen.button("Thread actions").focus();
  await keyboard.press("Enter");
  await focused(page.getByRole("menuitem", { name: "Rename" }), "the menu");
  await keyboard.press("End");
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "What should be done?" }).waitFor();
  await focused(message, "the message of a new thread");

  await screen.button("Archived threads").focus();
  await keyboard.press("Enter");
  await screen.thread(/Renamed/).focus();
  await keyboard.press("Enter");
  await screen.button("Unarchive").focus();
  await keyboard.press("Enter");
  await focused(message, "the message of the thread that is back");
  assert.deepEqual(screen.problems, []);
});

test("who writes goes on writing in the next thread; who answers a question is not drawn into the text", async () => {
  const screen = await stage.tab();
  const { page, message } = screen;
  for (const words of ["say: one", "say: two"]) {
    await screen.begin(words);
    await screen.ended();
  }
  await message.focus();
  await page.keyboard.press("Alt+ArrowDown");
  await screen.said("one").waitFor();
  await focused(message, "the message");
  await screen.begin("run: touch asked.txt", { approvals: "Ask always" });
  await screen.button("Approve").waitFor();
  await page.reload();
  await screen.button("Approve").waitFor();
  await page.keyboard.press("n");
  await screen.said("Declined by you").waitFor();
});

test("the first key press offers a way past the sidebar", async () => {
  const screen = await stage.tab();
  await screen.hub();
  await screen.page.getByRole("link", { name: "Quire" }).focus();
  await screen.page.keyboard.press("Shift+Tab");
  await focused(screen.button("Skip to the message"), "the way past the sidebar");
  await screen.page.keyboard.press("Enter");
  await focused(screen.message, "the message");
});
