import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import type { Page } from "playwright-core";
import { becomes } from "../support/soon.ts";
import { callsOf, openStories, type Stories } from "../support/stories.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
afterEach(() => stories.closePages());
after(() => stories.close());

const list = (page: Page) => page.getByRole("list", { name: "Queued messages" });

async function queue(page: Page, words: string): Promise<void> {
  const box = page.getByRole("textbox", { name: "Message" });
  await box.fill(words);
  await box.press("Enter");
  await list(page).getByText(words).waitFor();
}

/** The words of the messages that the queue sent. */
async function sent(page: Page): Promise<readonly unknown[]> {
  const calls = (await callsOf(page, "queued")) as [unknown, [{ readonly text: string }]][];
  return calls.map(([, [part]]) => part.text);
}

test("each turn that ends lets one queued message go, in their order", async () => {
  const page = await stories.open("queue");
  await queue(page, "one");
  await queue(page, "two");
  assert.deepEqual(await sent(page), []);
  await page.getByRole("button", { name: "End the turn" }).click();
  await list(page).getByText("one").waitFor({ state: "detached" });
  await becomes(() => sent(page), ["one"]);
  await list(page).getByText("two").waitFor();
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await page.getByRole("button", { name: "End the turn" }).click();
  await list(page).waitFor({ state: "detached" });
  await becomes(() => sent(page), ["one", "two"]);
});

test("after Stop nothing goes by itself, but can be sent by hand", async () => {
  const page = await stories.open("queue");
  await queue(page, "one");
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Send now: one" }).click();
  await page.getByRole("button", { name: "Stop" }).waitFor();
  assert.deepEqual(await sent(page), []);
  assert.equal((await callsOf(page, "send")).length, 1);
});

test("a queued message that cannot be sent stays, with the reason, and holds the others back", async () => {
  const page = await stories.open("queue");
  await queue(page, "refuse this");
  await queue(page, "two");
  await page.getByRole("button", { name: "End the turn" }).click();
  await list(page).getByText("Not sent: The model is gone.").waitFor();
  assert.deepEqual(await sent(page), ["refuse this"]);
  await list(page).getByText("two").waitFor();
});

test("after a reload a queued message waits until it is known whether a turn runs", async () => {
  const page = await stories.open("queue");
  await queue(page, "one");
  await page.goto(page.url().replace("#queue", "#queue?loading"));
  await page.reload();
  await page.getByRole("button", { name: "Load the thread" }).click();
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await list(page).getByText("one").waitFor();
  assert.deepEqual(await sent(page), []);
  await page.getByRole("button", { name: "End the turn" }).click();
  await becomes(() => sent(page), ["one"]);
});
