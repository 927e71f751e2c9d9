import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { httpError, reply } from "@quire/testkit";
import type { Locator } from "playwright-core";
import { assertAccessible } from "../support/axe.ts";
import { becomes, soon } from "../support/soon.ts";
import { onNewestServers } from "./support/each-server.ts";
import type { Screen } from "./support/screen.ts";
import type { Stage } from "./support/stage.ts";

await onNewestServers((open) => {
  let stage: Stage;
  before(async () => {
    stage = await open();
  });
  afterEach(() => stage.closeTabs());
  after(() => stage[Symbol.asyncDispose]());

  test("a message whose turn failed is sent again by a button", async () => {
    stage.model("Ring the bell.", httpError(401), reply().text("It rings."));
    const screen = await stage.tab();
    await screen.begin("Ring the bell.");
    await screen.ended("Failed");
    await screen.button("Retry").click();
    await screen.said("It rings.").waitFor();
    await screen.button("Retry").waitFor({ state: "detached" });
    assert.deepEqual(screen.problems, []);
  });

  test("a thread that no longer fits is compacted from where that is said", async () => {
    const full = { error: { message: "Too long.", code: "context_length_exceeded", type: "invalid_request_error" } };
    stage.model("Carry the piano.", reply().text("Carried."), httpError(400, full), reply().text("It was carried."));
    const screen = await stage.tab();
    await screen.begin("Carry the piano.");
    await screen.said("Carried.").waitFor();
    await screen.ended();
    await screen.send("And the harp.");
    await screen.ended("Failed");
    await screen.button("Compact the thread").click();
    await screen.said(/compacted/i).waitFor();
    await screen.button("Compact the thread").waitFor({ state: "detached" });
  });

  test("a proposed plan is carried out by a button, in the mode that may change things", async () => {
    stage.model(
      "Plan the bridge.",
      reply().text("<proposed_plan>\n- dig\n- build\n</proposed_plan>"),
      reply().text("The bridge stands."),
    );
    const screen = await stage.tab();
    await screen.begin("Plan the bridge.", { mode: "Plan" });
    await screen.page.getByRole("region", { name: "Proposed plan" }).getByText("build").waitFor();
    await screen.ended();
    await screen.button("Implement this plan").click();
    await screen.said("The bridge stands.").waitFor();
    await screen.button("Mode: Default").waitFor();
    await screen.button("Implement this plan").waitFor({ state: "detached" });
    assert.match(stage.mock.last.inputText(), /Implement the plan\./);
  });

  /** Chooses from the thread's menu and gives what was downloaded. */
  async function saved(screen: Screen, choice: string): Promise<{ readonly name: string; readonly text: string }> {
    const downloading = screen.page.waitForEvent("download");
    await screen.choose(choice);
    const download = await downloading;
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
  }

  test("a thread is exported whole, as Markdown and as JSON", async () => {
    stage.model(
      "Count to three!",
      reply().functionCall("exec_command", { cmd: "echo '```'" }),
      reply().text("One, **two**, three."),
    );
    const screen = await stage.tab();
    await screen.begin("Count to three!");
    await screen.said("One, two, three.").waitFor();
    await screen.ended();
    const markdown = await saved(screen, "Export as Markdown");
    assert.equal(markdown.name, "Count-to-three-.md");
    assert.match(markdown.text, /^# Count to three!\n\n## You\n\nCount to three!\n/);
    assert.match(markdown.text, /````console\n\$ echo '```'\n```\n````\n/);
    assert.match(markdown.text, /## Agent\n\nOne, \*\*two\*\*, three\.\n$/);
    const json = await saved(screen, "Export as JSON");
    await screen.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await screen.choose("Share");
    await screen.page.getByText("Copied as Markdown").waitFor();
    assert.equal(await screen.page.evaluate(() => navigator.clipboard.readText()), markdown.text);
    const { turns } = JSON.parse(json.text) as { turns: { items: { type: string }[] }[] };
    assert.ok(turns[0]?.items.some(({ type }) => type === "commandExecution"));
    assert.deepEqual(screen.problems, []);
  });

  test("words are found in the whole thread, also where it is not in sight or not loaded, and gone through", async () => {
    const long = Array.from({ length: 150 }, (_, line) => `Line ${line} of the tale.`).join("\n\n");
    stage.model(
      "Tell of the heron.",
      reply().text(`A heron stood there.\n\n${long}`),
      reply().text(`${long}\n\nThe Heron flew.`),
    );
    const screen = await stage.tab();
    const { page } = screen;
    await screen.begin("Tell of the heron.");
    await screen.ended();
    await screen.send("Go on.");
    await screen.said("The Heron flew.").waitFor();
    await screen.ended();
    await screen.message.focus();
    await page.keyboard.press("Control+f");
    const field = page.getByRole("searchbox", { name: "Find in thread" });
    await field.fill("heron");
    const count = page.locator(".thread-find-count");
    await becomes(() => count.textContent(), "3 of 3");
    await field.press("Enter");
    await becomes(() => count.textContent(), "1 of 3");
    const first = screen.log.getByText("Tell of the heron.");
    await soon(async () => assert.ok(await isInSight(first)));
    await screen.button("Previous result").click();
    await becomes(() => count.textContent(), "3 of 3");
    await soon(async () => assert.ok(await isInSight(screen.log.getByText("The Heron flew."))));
    await assertAccessible(page, "a search in a thread");
    await field.fill("ostrich");
    await becomes(() => count.textContent(), "No results");
    await field.press("Escape");
    await field.waitFor({ state: "detached" });
    await becomes(() => screen.message.evaluate((each) => each === document.activeElement), true);
    assert.deepEqual(screen.problems, []);
  });

  test("the outline, two keys and links lead to a message, also in a tab that was just opened", async () => {
    const long = Array.from({ length: 120 }, (_, line) => `Line ${line} of the report.`).join("\n\n");
    stage.model(
      "First of the reports.",
      reply().text(`## Findings\n\n${long}\n\n## Outlook\n\nThe end.`),
      reply().text(`${long}\n\nAll was said.`),
    );
    const screen = await stage.tab({ permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = screen;
    await screen.begin("First of the reports.");
    await screen.ended();
    await screen.send("Second of them.");
    await screen.said("All was said.").waitFor();
    await screen.ended();
    await screen.button("Show panel").click();
    await page.getByRole("tab", { name: "Outline" }).click();
    const outline = page.getByRole("navigation", { name: "Outline" });
    await becomes(
      () => outline.getByRole("link").allTextContents(),
      ["First of the reports.", "Findings", "Outlook", "Second of them."],
    );
    await outline.getByRole("link", { name: "First of the reports." }).click();
    const first = screen.log.locator(".items-user").filter({ hasText: "First of the reports." });
    await soon(async () => assert.ok(await isInSight(first)));
    await assertAccessible(page, "the outline of a thread");
    await page.keyboard.press("Alt+PageDown");
    const second = screen.log.locator(".items-user").filter({ hasText: "Second of them." });
    await soon(async () => assert.ok(await isInSight(second)));
    await page.keyboard.press("Alt+PageUp");
    await soon(async () => assert.ok(await isInSight(first)));
    await first.hover();
    await first.getByRole("button", { name: "Copy link" }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/#\/thread\//);
    await page.goto("about:blank");
    await page.goto(link);
    await soon(async () => assert.ok(await isInSight(first)));
    assert.equal(await isInSight(second), false);
    assert.deepEqual(screen.problems, []);
  });

  test("a question is declined with a reason, which the agent gets", async () => {
    const screen = await stage.tab();
    stage.model(
      "Delete it all.",
      reply().functionCall("exec_command", { cmd: "touch deleted.txt" }),
      reply().text("I made a copy first."),
      reply().text("As you say."),
    );
    await screen.begin("Delete it all.", { approvals: "Ask always" });
    await screen.button("Decline with a reason").click();
    await screen.page.getByRole("textbox", { name: "Reason" }).fill("Make a copy first.");
    await screen.button("Decline and send").click();
    await screen.said("Make a copy first.").waitFor();
    const asked = () => stage.mock.requests.some((request) => request.inputText().includes("Make a copy first."));
    await soon(async () => assert.ok(asked(), "the model gets the reason"));
    await screen.ended();
    assert.equal(existsSync(join(stage.cwd, "deleted.txt")), false);
  });

  test("sixty commands are one line that opens; what a turn cost is shown once its price is known", async () => {
    const screen = await stage.tab();
    const { page } = screen;
    const commands = Array.from({ length: 12 }, (_, index) =>
      reply().functionCall("exec_command", { cmd: `echo line-${index}` }),
    );
    stage.model("Count.", ...commands, reply().text("Counted."));
    await screen.begin("Count.", { approvals: "Never ask" });
    await screen.ended();
    const line = screen.log.getByRole("button", { name: /12 commands/ });
    await line.waitFor();
    assert.equal(await screen.log.getByText("line-7").count(), 0);
    await line.click();
    await screen.said(/line-7/).waitFor();
    await assertAccessible(page, "a group of commands");

    const model = /^Model: (.+)$/.exec((await screen.button(/^Model: /).getAttribute("aria-label")) ?? "")?.[1];
    assert.ok(model !== undefined);
    await screen.button("Settings").click();
    const dialog = page.getByRole("dialog", { name: "Settings" });
    await dialog.getByRole("button", { name: "Models", exact: true }).click();
    const names = await dialog
      .locator("#settings-priced option")
      .evaluateAll((all) => all.map((each) => each.getAttribute("value")));
    for (const name of [...names, model]) {
      await dialog.getByLabel("Priced model").fill(name ?? "");
      await dialog.getByLabel("Input", { exact: true }).fill("2");
      await dialog.getByLabel("Output", { exact: true }).fill("8");
      await dialog.getByRole("button", { name: "Set price" }).click();
    }
    await dialog.getByText("$2 input · $2 cached · $8 output").first().waitFor();
    await page.keyboard.press("Escape");
    await screen.log
      .locator("[data-turn]")
      .getByText(/\$0\.\d{4}|\$\d/)
      .waitFor();
  });

  test("a thread gets a title that the model thinks of, and is exported as a page of its own", async () => {
    const screen = await stage.tab();
    const { page } = screen;
    stage.model("Give a title of three to six words", reply().text('"Mend the **login** form"'));
    stage.model(
      "Please look at the form.",
      reply().text("It has a <script>alert(1)</script> and a [link](javascript:alert(1)).\n\n- one\n- two"),
    );
    await screen.begin("Please look at the form.");
    await screen.ended();
    await screen.choose("Generate title");
    await page.getByRole("heading", { name: /Mend the \*\*login\*\* form|Mend the login form/ }).waitFor();
    await soon(async () => assert.equal(await screen.threads.getByRole("link", { name: /Give a title/ }).count(), 0));
    const download = page.waitForEvent("download");
    await screen.choose("Export as HTML");
    const file = await (await download).path();
    const html = readFileSync(file, "utf8");
    assert.match(html, /<li>[\s\S]*one[\s\S]*<\/li>/);
    assert.doesNotMatch(html, /<script|href="javascript/);
    assert.match(html, /default-src 'none'/);
    assert.deepEqual(screen.problems, []);
  });
});

/** True for an element between the top and the bottom of the log. */
function isInSight(element: Locator): Promise<boolean> {
  return element.first().evaluate((each) => {
    const { top, bottom } = each.getBoundingClientRect();
    const log = each.closest("[role=log]")?.getBoundingClientRect();
    return log !== undefined && bottom > log.top && top < log.bottom;
  });
}
