import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { eventually, gate, httpError, type RecordedRequest, reply } from "@quire/testkit";
import { becomes } from "../support/soon.ts";
import { onNewestServers } from "./support/each-server.ts";
import type { Stage, TabOptions } from "./support/stage.ts";

const phone: TabOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const run = (cmd: string) => reply().functionCall("exec_command", { cmd });

await onNewestServers((open, version) => {
  let stage: Stage;
  before(async () => {
    stage = await open();
  });
  afterEach(() => stage.closeTabs());
  after(() => stage[Symbol.asyncDispose]());

  test("a folder that is not there starts nothing; it can be made, is completed from the disk, and ~ is the home", async () => {
    stage.model("Begin there.", reply().text("Here I am."));
    mkdirSync(join(stage.cwd, "cellar"), { recursive: true });
    const screen = await stage.tab();
    const { page } = screen;
    await screen.open();
    const field = page.getByRole("combobox", { name: "Folder" });
    await field.fill("~/");
    await becomes(() => page.locator(".app-new-folder").getAttribute("title"), "~");
    // What is written with a path that does not begin at the root is in the usual folder.
    await field.fill(`${stage.cwd}/cel`);
    await page.locator(`datalist option[value="${join(stage.cwd, "cellar")}"]`).waitFor({ state: "attached" });
    const fresh = join(dirname(stage.cwd), "fresh");
    await field.fill(fresh);
    await screen.message.fill("Begin there.");
    await page.getByText(/fresh does not exist on/).waitFor();
    await screen.button("Send").click();
    await page.getByText(`${fresh} does not exist. Create it, or choose another folder.`).waitFor();
    await becomes(() => screen.message.inputValue(), "Begin there.");
    assert.ok(!page.url().includes("#/thread/"));
    await screen.button("Create folder").click();
    await page.getByText(/fresh does not exist on/).waitFor({ state: "detached" });
    assert.ok(existsSync(fresh));
    await screen.button("Send").click();
    await screen.said("Here I am.").waitFor();
    await page.getByText(basename(fresh)).first().waitFor();
    assert.deepEqual(screen.problems, []);
  });

  test("what runs in a terminal goes on while it is hidden, and while another thread is in view", async () => {
    stage.model("Keep the kettle on.", reply().text("It is on."));
    const screen = await stage.tab();
    const { page } = screen;
    await screen.begin("Keep the kettle on.");
    await screen.said("It is on.").waitFor();
    await screen.button("Show terminal").click();
    const input = page.getByRole("textbox", { name: "Terminal input" });
    await input.waitFor();
    const [ready, go, done] = ["ready", "go", "done"].map((name) => join(stage.cwd, `${name}.txt`)) as [
      string,
      string,
      string,
    ];
    await input.pressSequentially("touch ready.txt; until [ -e go.txt ]; do sleep 0.1; done; touch done.txt\n");
    await eventually(() => existsSync(ready), { what: "the loop in the terminal" });
    await page.keyboard.press("Control+j");
    await input.waitFor({ state: "hidden" });
    await becomes(() => screen.message.evaluate((each) => each === document.activeElement), true);
    await screen.open();
    await screen.thread(/Keep the kettle on/).click();
    writeFileSync(go, "");
    await eventually(() => existsSync(done), { what: "the end of the loop" });
    await screen.button("Show terminal").click();
    await input.waitFor();
    await input.pressSequentially("exit 4\n");
    await page.getByText("The shell has ended with code 4.").waitFor();
    await screen.button("End terminal").click();
    await input.waitFor({ state: "detached" });
  });

  test("the keys of an answer are named where they work, and a lone y is not sent into the turn", async () => {
    stage.model("Ask me first.", run("touch asked.txt"), reply().text("You were asked."));
    const screen = await stage.tab();
    const { page } = screen;
    await screen.begin("Ask me first.", { approvals: "Ask always" });
    await screen.button("Approve").waitFor();
    const bar = page.locator(".approvals-bar");
    await screen.message.focus();
    await bar.getByText("then").waitFor();
    assert.equal(await screen.button("Approve").locator("kbd").isVisible(), false);
    await page.keyboard.press("y");
    await page.keyboard.press("Enter");
    await page.getByText(/A question is waiting\. Press Esc, then Y to answer it/).waitFor();
    assert.equal(await screen.message.inputValue(), "y");
    await screen.message.fill("");
    await page.keyboard.press("Escape");
    await screen.button("Approve").locator("kbd").waitFor();
    await screen.button("Approve").click({ trial: true });
    await page.keyboard.press("y");
    await screen.said("You were asked.").waitFor();
    assert.ok(existsSync(join(stage.cwd, "asked.txt")));
  });

  test("a command that there is not is not sent to the model", async () => {
    stage.model("Be brief.", reply().text("Yes."), reply().text("As text."));
    const screen = await stage.tab();
    await screen.begin("Be brief.");
    await screen.said("Yes.").waitFor();
    await screen.ended();
    const asked = stage.mock.requests.length;
    await screen.message.fill("/frobnicate the widgets");
    await screen.message.press("Enter");
    await screen.page.getByText("/frobnicate is not a command.").waitFor();
    assert.equal(stage.mock.requests.length, asked);
    await screen.message.press("Enter");
    await screen.said("As text.").waitFor();
    assert.match(stage.mock.last.inputText(), /\/frobnicate the widgets/);
  });

  test("a model that refuses says why, in its own words, and what to do", async () => {
    const words = { error: { message: "Incorrect API key provided: sk-lost", code: "invalid_api_key" } };
    stage.model("Who are you?", httpError(401, words));
    const screen = await stage.tab();
    await screen.begin("Who are you?");
    await screen.ended("Failed");
    await screen.said("The provider refused the key (HTTP 401)").waitFor();
    await screen.said(/Incorrect API key provided: sk-lost/).waitFor();
    assert.equal(await screen.log.getByText(/Check the network/).count(), 0);
    // A thread that failed is marked as such also for a page that did not see it fail.
    await screen.thread(/Failed.*Who are you/).waitFor();
    await screen.page.reload();
    await screen.thread(/Failed.*Who are you/).waitFor();
    if (version !== null) return;
    const quota = { error: { message: "Pay the bill of March first.", code: "insufficient_quota" } };
    stage.model("Once more.", httpError(429, quota));
    await screen.send("Once more.");
    await screen.said("Pay the bill of March first.").waitFor();
    await screen.ended("Failed");
  });

  test("a review is shown once, without the prompt that nobody wrote", async () => {
    const findings = {
      findings: [],
      overall_correctness: "patch is correct",
      overall_explanation: "All of the lanterns are lit.",
      overall_confidence_score: 0.9,
    };
    stage.model("Light the lanterns.", reply().text("They are lit."));
    const screen = await stage.tab();
    await screen.begin("Light the lanterns.");
    await screen.said("They are lit.").waitFor();
    await screen.ended();
    stage.mock
      .when((request) => !request.inputText().includes("Light the lanterns."))
      .reply(reply().text(JSON.stringify(findings)));
    await screen.message.fill("/review");
    await screen.message.press("Enter");
    await screen.said("Review started").waitFor();
    await screen.said("All of the lanterns are lit.").waitFor();
    await becomes(() => screen.log.getByText("All of the lanterns are lit.").count(), 1);
    await becomes(() => screen.log.locator(".items-user").count(), 1);
    await screen.page.reload();
    await screen.said("All of the lanterns are lit.").waitFor();
    await becomes(() => screen.log.getByText("All of the lanterns are lit.").count(), 1);
    await becomes(() => screen.log.locator(".items-user").count(), 1);
    // One that runs can be stopped like any turn.
    const isAsked = (request: RecordedRequest) => request.inputText().includes("the lamps");
    stage.mock.when(isAsked).reply(reply().text(["{", gate(), "}"]));
    await screen.message.fill("/review the lamps");
    await screen.message.press("Enter");
    await becomes(() => screen.log.getByText("Review started").count(), 2);
    await stage.mock.waitFor(isAsked);
    await screen.button("Stop").click();
    await becomes(() => screen.log.getByText("Stopped", { exact: true }).count(), 1);
    await screen.button("Stop").waitFor({ state: "detached" });
    await becomes(() => screen.log.getByText("Working", { exact: true }).count(), 0);
  });

  test("a copy says what it is a copy of; a command that Stop ended is not shown as a failure", async () => {
    stage.model("Sleep well.", run("echo asleep; sleep 300"));
    const screen = await stage.tab();
    await screen.begin("Sleep well.");
    await screen.log.getByText("asleep", { exact: true }).first().waitFor();
    await screen.button("Stop").click();
    await screen.ended("Stopped");
    await screen.log.getByText("stopped", { exact: true }).waitFor();
    assert.equal(await screen.log.locator(".items-bad, .items-failed, .items-running").count(), 0);
    const original = screen.page.url();
    await screen.choose("Fork");
    await screen.page.waitForURL((url) => url.href !== original);
    await screen.page.getByRole("heading", { name: /Fork of Sleep well/ }).waitFor();
  });

  test("on a phone in a turn every choice has its place, and is large enough for a thumb", async () => {
    stage.model("Take your time.", run("echo ready; sleep 300"));
    const screen = await stage.tab(phone);

    await screen.button("Show sidebar").tap();
    await screen.begin("Take your time.");
    await screen.button("Stop").waitFor();
    await screen.button(/^Options:/).tap();
    for (const name of [/^Model:/, /^Permissions:/]) {
      const box = await screen.button(name).boundingBox();
      assert.ok(box !== null && box.height >= 44 && box.width > 200 && box.x >= 0 && box.x + box.width <= 390);
    }
    await screen.button("Done").tap();
    for (const name of ["Stop", "Send", /^Options:/]) {
      const box = await screen.button(name).boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, `${name} is out of sight`);
      assert.ok(box.height >= 44, `${name} is ${box.height} px high`);
    }
    await screen.button("Stop").tap();
    await screen.ended("Stopped");
  });

  test("names in the panel and in the header end in dots, never in the middle of a letter, and files keep theirs", async () => {
    const folder = "src/deep/nested/folder/with/a/long/path/to/something";
    mkdirSync(join(stage.cwd, folder), { recursive: true });
    const patch = `*** Begin Patch\n*** Add File: ${folder}/unmistakable.ts\n+one\n*** End Patch\n`;
    stage.model("Add a deep file.", run(`apply_patch <<'EOF'\n${patch}EOF`), reply().text("It is deep."));
    const screen = await stage.tab();
    await screen.begin("Add a deep file.", { approvals: "Never ask" });
    await screen.said("It is deep.").waitFor();
    await screen.ended();
    await screen.button("Show panel").click();
    await screen.page.getByRole("tab", { name: /^Changes/ }).click();
    const panel = screen.page.getByRole("complementary", { name: "Side panel" });
    const name = panel.locator(".diff-name").first();
    await name.waitFor();
    assert.equal(await name.textContent(), "unmistakable.ts");
    assert.ok(await name.evaluate((each) => each.scrollWidth <= each.clientWidth), "the file's name is cut off");
    await screen.page.setViewportSize({ width: 1110, height: 800 });
    const clipped = screen.page.locator(".app-header-clip");
    for (const each of await clipped.all()) {
      assert.equal(await each.evaluate((element) => getComputedStyle(element).textOverflow), "ellipsis");
    }
  });

  test("a question of a sub-agent names the agent", async () => {
    const agents = { namespace: "multi_agent_v1" };
    stage.mock
      .when((request) => request.inputText().includes("DIG A WELL") && !request.inputText().includes("BUILD A TOWN"))
      .reply(run("touch well.txt"), reply().text("It is dug."));
    stage.model(
      "BUILD A TOWN",
      reply().functionCall("spawn_agent", { message: "DIG A WELL" }, { callId: "dig", ...agents }),
      (request) => {
        const { agent_id } = JSON.parse(request.functionOutput("dig") ?? "{}") as { agent_id: string };
        return reply().functionCall("wait_agent", { targets: [agent_id], timeout_ms: 20_000 }, { ...agents });
      },
      reply().text("The town is built."),
    );
    const screen = await stage.tab();
    await screen.begin("BUILD A TOWN", { approvals: "Ask always" });
    const bar = screen.page.locator(".approvals-bar");
    await bar.getByText(/^Agent \S/).waitFor();
    await screen.button("Approve").click();
    await screen.said("The town is built.").waitFor();
    await screen.ended();
  });
});
