import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { assertAccessible } from "../support/axe.ts";
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

test("sidebar, panel and terminal are resized by mouse and by keys, and stay so over a reload", async () => {
  const screen = await stage.tab();
  const { page } = screen;
  await screen.begin("say: resize");
  await screen.ended();
  await screen.button("Show panel").click();
  await screen.button("Show terminal").click();
  const parts = [
    { name: "Resize sidebar", part: page.locator(".app-sidebar"), side: "width", by: [60, 0], key: "ArrowRight" },
    { name: "Resize panel", part: page.locator(".app-side-panel"), side: "width", by: [-60, 0], key: "ArrowLeft" },
    { name: "Resize terminal", part: page.locator(".app-terminal"), side: "height", by: [0, -60], key: "ArrowUp" },
  ] as const;
  const sizes = async () =>
    Promise.all(parts.map(async ({ part, side }) => Math.round((await part.boundingBox())?.[side] ?? 0)));
  await screen.page.getByRole("textbox", { name: "Terminal input" }).waitFor();
  const before = await sizes();
  for (const { name, by, key } of parts) {
    const handle = page.getByRole("separator", { name });
    const { x, y, width, height } = (await handle.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + by[0], y + height / 2 + by[1], { steps: 3 });
    await page.mouse.up();
    await handle.focus();
    await page.keyboard.press(key);
  }
  const after = before.map((size) => size + 84);
  await becomes(sizes, after);
  await assertAccessible(page, "parts that can be resized");
  await page.reload();
  await screen.button("Show panel").click();
  await page.getByRole("separator", { name: "Resize terminal" }).waitFor();
  await becomes(sizes, after);
  await page.getByRole("separator", { name: "Resize sidebar" }).dblclick();
  await becomes(async () => (await sizes())[0], before[0]);
});
