import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { assertAccessible } from "../support/axe.ts";
import { becomes, focusComesTo } from "../support/soon.ts";
import { callsOf, openStories, type Stories, showStory } from "../support/stories.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
afterEach(() => stories.closePages());
after(() => stories.close());

test("the agent's questions are answered by choice, by text and by secret, and secrets are not shown again", async () => {
  const page = await stories.open("approvals?ask=questions");
  const answer = page.getByRole("button", { name: "Answer", exact: true });
  await becomes(() => answer.isDisabled(), true);
  await page.getByRole("radio", { name: /Postgres/ }).check();
  await page.getByLabel("What is the table called?").fill("gears");
  const secret = page.getByLabel("Token for the registry");
  assert.equal(await secret.getAttribute("type"), "password");
  await secret.fill("s3cret");
  await answer.click();
  await page.getByText("Answered: Postgres, gears, a secret by you").waitFor();
  // The bar with the form is gone; what was asked can still be read.
  await page.getByRole("article").getByText("Which database should it use?").waitFor();
  const [[id, result]] = (await callsOf(page, "answer")) as [[unknown, unknown]];
  assert.equal(id, "r-questions");
  assert.deepEqual(result, {
    answers: { db: { answers: ["Postgres"] }, name: { answers: ["gears"] }, token: { answers: ["s3cret"] } },
  });
});

test("what is none of the choices can be written, and what is left open counts as skipped", async () => {
  const page = await stories.open("approvals?ask=questions");
  await page.getByRole("radio", { name: /SQLite/ }).check();
  await page.getByLabel("Something else").fill("DuckDB");
  await becomes(() => page.getByRole("radio", { name: /SQLite/ }).isChecked(), false);
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await page.getByText("Answered: DuckDB by you").waitFor();
  assert.deepEqual((await callsOf(page, "answer"))[0]?.[1], { answers: { db: { answers: ["DuckDB"] } } });
});

test("questions can be skipped", async () => {
  const page = await stories.open("approvals?ask=questions");
  await page.getByRole("button", { name: "Skip" }).click();
  await page.getByText("Skipped by you").waitFor();
  assert.deepEqual((await callsOf(page, "answer"))[0]?.[1], { answers: {} });
});

test("a form of an MCP server is checked before it is sent", async () => {
  const page = await stories.open("approvals?ask=form");
  const submit = page.getByRole("button", { name: "Submit" });
  await submit.click();
  await page.getByText("Fill this in.").nth(2).waitFor();
  await focusComesTo(page.locator("[name=name]"));
  await page.getByLabel("Name").fill("A");
  await page.getByLabel("E-mail").fill("nobody");
  await page.getByLabel("Seats").fill("2.5");
  await page.getByText("Use at least 2 characters.").waitFor();
  await page.getByText("Enter an e-mail address").waitFor();
  await page.getByText("Enter a whole number.").waitFor();
  await page.getByLabel("Seats").fill("12");
  await page.getByText("Enter at most 9.").waitFor();
  assert.deepEqual(await callsOf(page, "answer"), []);
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("E-mail").fill("ada@example.org");
  await page.getByLabel("Seats").fill("2");
  await page.getByLabel("Class").selectOption({ label: "First" });
  await page.getByRole("checkbox", { name: "Window" }).check();
  await submit.click();
  await page.getByText("Answered by you").waitFor();
  assert.deepEqual((await callsOf(page, "answer"))[0]?.[1], {
    action: "accept",
    content: { name: "Ada", email: "ada@example.org", seats: 2, class: "1", extras: ["Window"], insure: true },
    _meta: null,
  });
});

test("a form that cannot be shown says so", async () => {
  const page = await stories.open("approvals?ask=odd");
  await page.getByText("This form cannot be shown here.").waitFor();
});

test("a page to open is shown in full and opened apart; anything but a web address is not", async () => {
  const page = await stories.open("approvals?ask=url");
  const link = page.getByRole("link", { name: "Open accounts.example.org" });
  assert.equal(await link.getAttribute("href"), "https://accounts.example.org/consent?client=quire");
  assert.equal(await link.getAttribute("rel"), "noopener noreferrer");
  const hostile = await stories.open("approvals?ask=script");
  await hostile.getByText("This is not a web address").waitFor();
  assert.equal(await hostile.getByRole("link").count(), 0);
  assert.equal(await hostile.evaluate(() => (window as { hacked?: number }).hacked), undefined);
});

test("a call of a tool that no program answers can be answered by hand, or declined", async () => {
  const page = await stories.open("approvals?ask=call");
  await page.getByLabel("Result for the agent").fill("Rain");
  await page.getByRole("button", { name: "Send result" }).click();
  await page.getByText("Answered the tool call by you").waitFor();
  const contentItems = [{ type: "inputText", text: "Rain" }];
  assert.deepEqual((await callsOf(page, "answer"))[0]?.[1], { contentItems, success: true });
  const other = await stories.open("approvals?ask=call");
  await other.getByRole("button", { name: "Decline" }).click();
  await other.getByText("Declined the tool call by you").waitFor();
  const [[, refusal]] = (await callsOf(other, "answer")) as [[unknown, { success: boolean }]];
  assert.equal(refusal.success, false);
});

test("a question that this page does not know is shown with its data, and can be refused", async () => {
  const page = await stories.open("approvals?ask=unknown");
  await page.getByRole("region").getByText("waltz").waitFor();
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.getByText("Refused by you").waitFor();
  assert.equal((await callsOf(page, "refuse"))[0]?.[0], "r-unknown");
});

for (const theme of ["dark", "light"] as const) {
  test(`questions are accessible, ${theme}`, async () => {
    const page = await stories.open("approvals?ask=none", { theme });
    for (const ask of ["command", "network", "patch", "questions", "form", "url", "call", "unknown"]) {
      await showStory(page, `approvals?ask=${ask}`);
      await page.getByRole("region").waitFor();
      await page.getByText("Loading the diff").waitFor({ state: "detached" });
      await assertAccessible(page, `${ask} (${theme})`);
    }
  });
}
