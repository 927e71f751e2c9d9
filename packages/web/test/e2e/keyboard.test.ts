import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { becomes, focusComesTo } from "../support/soon.ts";
import { openStage, type Stage } from "./support/stage.ts";

let stage: Stage;
before(async () => {
  stage = await openStage({ offline: true });
});
afterEach(() => stage.closeTabs());
after(() => stage[Symbol.asyncDispose]());

test("everything from the first message to the archive is done without a mouse", async () => {
  const screen = await stage.tab();
  const { page, message } = screen;
  const { keyboard } = page;
  await focusComesTo(message);
  // Enter sends nothing to a server that is not there yet.
  await screen.hub();
  await keyboard.type("say: first");
  await keyboard.press("Enter");
  await page.waitForURL(/#\/thread\//);
  await screen.ended();
  await focusComesTo(message);

  await keyboard.press("Control+j");
  await focusComesTo(page.getByRole("textbox", { name: "Terminal input" }));
  await keyboard.press("Control+j");
  await focusComesTo(message);

  await keyboard.press("Control+k");
  await focusComesTo(page.getByRole("combobox", { name: "Search threads and actions" }));
  await keyboard.type("panel");
  await page.getByRole("option", { name: "Show or hide the panel", selected: true }).waitFor();
  await keyboard.press("Enter");
  await page.getByRole("complementary", { name: "Side panel" }).waitFor();
  await screen.button("Close panel").focus();
  await keyboard.press("Enter");
  await focusComesTo(message);

  await keyboard.press("Escape");
  await keyboard.press("m");
  await focusComesTo(message);
  await becomes(() => message.inputValue(), "");

  await screen.button("Hide sidebar").focus();
  await keyboard.press("Enter");
  await focusComesTo(screen.button("Show sidebar"));
  await keyboard.press("Enter");
  await focusComesTo(screen.button("Hide sidebar"));

  await screen.button(/^Actions for say: first/).focus();
  await keyboard.press("Enter");
  await focusComesTo(page.getByRole("menuitem", { name: "Rename" }));
  await keyboard.press("Enter");
  await focusComesTo(screen.threads.getByRole("textbox", { name: "Thread name" }));
  await keyboard.type("Renamed");
  await keyboard.press("Enter");
  await focusComesTo(screen.thread(/Renamed/));
  await screen.button("Thread actions").focus();
  await keyboard.press("Enter");
  await focusComesTo(page.getByRole("menuitem", { name: "Rename" }));
  await keyboard.press("Enter");
  await focusComesTo(page.getByRole("main").getByRole("textbox", { name: "Thread name" }));
  await keyboard.press("Enter");
  await focusComesTo(screen.button("Thread actions"));
  await becomes(() => page.getByRole("menu").count(), 0);

  await screen.button("Thread actions").focus();
  await keyboard.press("Enter");
  await focusComesTo(page.getByRole("menuitem", { name: "Rename" }));
  await keyboard.press("End");
  await focusComesTo(page.getByRole("menuitem", { name: "Archive" }));
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "What should we build?" }).waitFor();
  await focusComesTo(message);

  await screen.button("Archived threads").focus();
  await keyboard.press("Enter");
  await screen.thread(/Renamed/).focus();
  await keyboard.press("Enter");
  await screen.button("Unarchive").focus();
  await keyboard.press("Enter");
  await focusComesTo(message);
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
  await screen.said(/^one$/).waitFor();
  await focusComesTo(message);
  await screen.begin("run: touch asked.txt", { approvals: "Ask always" });
  await screen.button("Approve").waitFor();
  await page.reload();
  await screen.button("Approve").click({ trial: true });
  await page.keyboard.press("n");
  await screen.said("Declined by you").waitFor();
});

test("the first key press offers a way past the sidebar", async () => {
  const screen = await stage.tab();
  await screen.hub();
  await screen.page.getByRole("link", { name: "Quire" }).focus();
  await screen.page.keyboard.press("Shift+Tab");
  await focusComesTo(screen.button("Skip to the message"));
  await screen.page.keyboard.press("Enter");
  await focusComesTo(screen.message);
});
