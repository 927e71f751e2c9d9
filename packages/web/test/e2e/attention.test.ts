import assert from "node:assert/strict";
import { test } from "node:test";
import { gate, reply } from "@quire/testkit";
import type { Page } from "playwright-core";
import { assertAccessible } from "../support/axe.ts";
import { becomes } from "../support/soon.ts";
import { onNewestServers } from "./support/each-server.ts";
import { openStage } from "./support/stage.ts";

interface Told {
  readonly title: string;
  readonly body: string;
  readonly onclick: () => void;
}

declare global {
  interface Window {
    /** What the browser was to show. */
    told: Told[];
    away: boolean;
  }
}

/** A headless browser shows no notifications and always looks at its page: both are stood in for. */
function standIns(): void {
  window.told = [];
  window.away = false;
  Object.defineProperty(document, "visibilityState", { get: () => (window.away ? "hidden" : "visible") });
  const Notification = function (this: Told & { title: string; body: string }, title: string, { body }: Told) {
    this.title = title;
    this.body = body;
    window.told.push(this);
  };
  Notification.permission = "granted";
  Notification.requestPermission = async () => "granted";
  Notification.prototype.close = () => undefined;
  Object.assign(window, { Notification });
}

const look = (page: Page, away: boolean) =>
  page.evaluate((hidden) => {
    window.away = hidden;
    document.dispatchEvent(new Event("visibilitychange"));
  }, away);

test("who looks elsewhere is told of ends and questions, and led to the thread", async () => {
  await using stage = await openStage();
  const thinking = gate();
  stage.model("Think.", reply().text(["Hm ", thinking, "yes."]));
  stage.model("Make it.", reply().functionCall("exec_command", { cmd: "touch made.txt" }), reply().text("Made."));
  const screen = await stage.tab();
  const { page } = screen;
  await page.addInitScript(standIns);
  await page.reload();
  await screen.hub();
  await screen.button("Settings").click();
  await page.getByRole("switch", { name: "Notify me" }).click();
  // The browser is asked first.
  await page.getByRole("switch", { name: "Notify me", checked: true }).waitFor();
  await page.keyboard.press("Escape");

  await screen.begin("Think.");
  await screen.said("Hm").waitFor();
  const thread = page.url();
  await screen.open();
  await look(page, true);
  thinking.open();
  const told = () => page.evaluate(() => window.told.map(({ title, body }) => `${title}: ${body}`));
  await becomes(told, ["The turn has ended: Think."]);
  await becomes(() => page.title(), "(1) Quire");
  await screen.thread(/^New: Think\./).waitFor();
  await page.evaluate(() => window.told[0]?.onclick());
  await page.waitForURL(thread);
  await look(page, false);
  await becomes(() => page.title(), "Quire");

  await screen.begin("Make it.", { approvals: "Ask always" });
  await screen.button("Decline").waitFor();
  await becomes(() => page.title(), "(1) Quire");
  await screen.button("Decline").click();
  await screen.said("Made.").waitFor();
  await screen.ended();
  assert.equal((await told()).length, 1, "who looks at the page is told neither of questions nor of ends");
  assert.deepEqual(screen.problems, []);
});

await onNewestServers((open) => {
  test("what needs the user is on top, and reached by a key; it can be snoozed, pinned, and shown in one list", async () => {
    await using stage = await open();
    stage.model("Make it.", reply().functionCall("exec_command", { cmd: "touch made.txt" }), reply().text("Made."));
    stage.model("Talk.", reply().text("Talked."));
    const screen = await stage.tab();
    const { page } = screen;
    await screen.begin("Talk.");
    await screen.ended();
    await screen.begin("Make it.", { approvals: "Ask always" });
    await screen.button("Approve").waitFor();
    const asking = page.url();
    await screen.open();
    const needs = page.getByRole("region", { name: "Needs you" });
    await needs.getByRole("link", { name: /Make it/ }).waitFor();
    assert.equal(await screen.thread(/Make it/).count(), 1);
    await assertAccessible(page, "a sidebar with what needs the user");
    await screen.message.press("Control+i");
    await page.waitForURL(asking);
    await needs.waitFor({ state: "detached" });
    await screen.message.press("Control+i");
    await page.getByText("Nothing needs you right now.").waitFor();

    await screen.open();
    await needs.getByRole("button", { name: /^Actions for/ }).click();
    await page.getByRole("menuitem", { name: "Snooze for 1 hour" }).click();
    await needs.waitFor({ state: "detached" });
    const actions = screen.threads.getByRole("button", { name: "Actions for Talk." });
    await screen.thread(/Talk/).hover();
    await actions.click();
    await page.getByRole("menuitem", { name: "Pin" }).click();
    await page.getByRole("region", { name: "Pinned" }).getByRole("link", { name: /Talk/ }).waitFor();
    await page.reload();
    await page.getByRole("region", { name: "Pinned" }).getByRole("link", { name: /Talk/ }).waitFor();
    await screen.button("Show as one list").click();
    await page
      .getByRole("region", { name: "All threads" })
      .getByRole("link", { name: /Make it/ })
      .waitFor();
    await screen.thread(/Make it/).hover();
    await screen.threads.getByRole("button", { name: "Actions for Make it." }).click();
    await page.getByRole("menuitem", { name: "End snooze" }).click();
    await needs.getByRole("link", { name: /Make it/ }).waitFor();
    assert.deepEqual(screen.problems, []);
  });
});
