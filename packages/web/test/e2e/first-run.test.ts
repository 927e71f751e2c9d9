import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { assertAccessible } from "../support/axe.ts";
import { openStage, type Stage, type TabOptions } from "./support/stage.ts";

const phone: TabOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let stage: Stage;
before(async () => {
  stage = await openStage({ offline: true });
});
afterEach(() => stage.closeTabs());
after(() => stage[Symbol.asyncDispose]());

test("a newcomer with no key and no network chats, approves a command and sees a diff", async () => {
  const screen = await stage.tab();
  assert.ok(!screen.page.url().includes("token"), "the token is still in the address bar");
  await screen.button("What can you do?").click();
  await screen.said(/offline model/).waitFor();
  await screen.ended();
  await screen.begin("run: touch made.txt", { approvals: "Ask always" });
  await screen.button("Approve").click();
  await screen.ended();
  assert.ok(existsSync(join(stage.cwd, "made.txt")));
  await screen.send("write: hello.txt\nHello from Quire");
  await screen.button("Approve").click();
  await screen.ended();
  await screen.log.getByText("Hello from Quire").last().waitFor();
  assert.ok(existsSync(join(stage.cwd, "hello.txt")));
  assert.deepEqual(screen.problems, []);
});

test("a question of the agent is answered in a form", async () => {
  const screen = await stage.tab();
  await screen.begin("ask: Which colour? red | blue", { mode: "Plan" });
  await screen.page.getByRole("radio", { name: /^blue/ }).check();
  await screen.button("Answer").click();
  await screen.said(/Answered: blue by you/).waitFor();
  await screen.ended();
});

test("on a phone the sidebar is a sheet, and everything can be reached", async () => {
  const screen = await stage.tab(phone);
  await screen.message.fill("run: touch phone.txt");
  await screen.button(/^Approvals:/).tap();
  await screen.page.getByRole("menuitemradio", { name: /^Ask always/ }).tap();
  await screen.button("Send").tap();
  await screen.button("Approve").waitFor();
  await assertAccessible(screen.page, "an approval on a phone");
  await screen.button("Approve").tap();
  await screen.ended();
  const wide = await screen.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(wide, false, "the page can be scrolled sideways");
  assert.equal(await screen.threads.isVisible(), false);
  await screen.button("Show sidebar").tap();
  await screen.thread(/phone\.txt/).waitFor();
  await assertAccessible(screen.page, "the sidebar on a phone");
  await screen.button("New thread").first().tap();
  await screen.page.getByRole("heading", { name: "What should be done?" }).waitFor();
  await screen.threads.waitFor({ state: "hidden" });
});

for (const theme of ["dark", "light"] as const) {
  test(`axe-core finds nothing serious in the main views, ${theme}`, async () => {
    const screen = await stage.tab({ theme });
    await screen.hub();
    await assertAccessible(screen.page, "the first page");
    await screen.begin(
      `think: about it\nplan: read; write\nsay: # Title\n\nText with \`code\`, a [link](https://example.com) and a list:\n\n- one\n- two`,
      { approvals: "Ask always" },
    );
    await screen.ended();
    await screen.send("write: a.ts\nexport const answer = 42;");
    await screen.button("Approve").click();
    await screen.ended();
    await assertAccessible(screen.page, "a thread");
    await screen.button("Show panel").click();
    await screen.button("Hide panel").waitFor();
    await assertAccessible(screen.page, "a thread with its panel");
    await screen.button("Settings").first().click();
    await screen.page.getByRole("dialog").waitFor();
    await assertAccessible(screen.page, "the settings");
    await screen.page.keyboard.press("Escape");
    await screen.page.keyboard.press("Control+k");
    await screen.page.getByRole("dialog", { name: "Command palette" }).waitFor();
    await assertAccessible(screen.page, "the command palette");
    await screen.page.keyboard.press("Escape");
    await screen.begin("run: touch axe.txt", { approvals: "Ask always" });
    await screen.button("Decline").waitFor();
    await assertAccessible(screen.page, "an approval");
    await screen.button("Decline").click();
    await screen.ended();
  });
}
