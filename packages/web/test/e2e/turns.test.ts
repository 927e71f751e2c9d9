import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { gate, reply } from "@quire/testkit";
import { becomes } from "../support/soon.ts";
import { onEachServer } from "./support/each-server.ts";
import type { Stage } from "./support/stage.ts";

const patch = `*** Begin Patch
*** Update File: greet.ts
@@
-export const greeting = "hello";
+export const greeting = "good morning";
*** End Patch
`;
const run = (cmd: string) => reply().functionCall("exec_command", { cmd });
/** A patch as both old and new versions take it from a model that they do not know. */
const change = () => run(`apply_patch <<'EOF'\n${patch}EOF`);

await onEachServer((open) => {
  let stage: Stage;
  before(async () => {
    stage = await open();
  });
  afterEach(() => stage.closeTabs());
  after(() => stage[Symbol.asyncDispose]());

  test("a turn with a plan, a command that is approved, and a change that is shown as a diff", async () => {
    writeFileSync(join(stage.cwd, "greet.ts"), 'export const greeting = "hello";\n');
    const plan = (first: string, second: string) => [
      { step: "Look around", status: first },
      { step: "Change the greeting", status: second },
    ];
    stage.model(
      "Change the greeting.",
      reply()
        .reasoning(["I look at the file first."])
        .functionCall("update_plan", { plan: plan("in_progress", "pending") }),
      run("touch seen.txt && printf 'looked \\033[31maround\\033[0m\\n'"),
      change(),
      reply().functionCall("update_plan", { plan: plan("completed", "completed") }),
      reply().text("It now says **good morning**.", { chunks: 5 }),
    );
    const screen = await stage.tab();
    await screen.begin("Change the greeting.", { approvals: "Ask always" });
    await screen.said("Change the greeting").waitFor();
    await screen.button("Approve").waitFor();
    assert.equal(existsSync(join(stage.cwd, "seen.txt")), false);
    await screen.page.getByText("touch seen.txt").first().waitFor();
    await screen.button("Approve").click();
    await screen.said("Approved by you").waitFor();
    // The change asks too; by the keyboard this time.
    await screen.page.getByRole("heading", { level: 2, name: /this file/ }).waitFor();
    await screen.button("Approve").click({ trial: true });
    await screen.message.press("Escape");
    await screen.page.keyboard.press("y");
    await screen.ended();
    assert.match(readFileSync(join(stage.cwd, "greet.ts"), "utf8"), /good morning/);
    await screen.log.locator("strong").getByText("good morning").waitFor();
    await screen.log.getByText(/2 of 2 done/).waitFor();
    const diff = screen.log.getByRole("group", { name: /^Changes of .*greet\.ts/ }).first();
    await diff.filter({ hasText: /hello[\s\S]*good morning/ }).waitFor();
    assert.deepEqual(screen.problems, []);
  });

  test("a command that is declined is not run, and says so", async () => {
    stage.model("Make a file.", run("touch never.txt"), reply().text("Then I leave it."));
    const screen = await stage.tab();
    await screen.begin("Make a file.", { approvals: "Ask always" });
    await screen.button("Decline").click();
    await screen.said("Declined by you").waitFor();
    await screen.said("Then I leave it.").waitFor();
    await screen.ended();
    assert.equal(existsSync(join(stage.cwd, "never.txt")), false);
    assert.match((await screen.log.textContent()) ?? "", /declined/i);
  });

  test("a message sent while the turn runs steers it; Stop ends it", async () => {
    const talking = gate();
    stage.model(
      "Write a poem.",
      reply().text(["Working on ", talking, "it."]),
      reply().text(["Now ", gate(), "never said"]),
    );
    const screen = await stage.tab();
    await screen.begin("Write a poem.");
    await screen.said("Working on").waitFor();
    await screen.button("Stop").waitFor();
    await screen.send("Make it short.");
    // Older versions show it with the next request to the model only.
    await screen.taken();
    talking.open();
    await screen.said("Make it short.").waitFor();
    await screen.said(/^Now/).waitFor();
    assert.match(stage.mock.last.inputText(), /Make it short\./);
    await screen.button("Stop").click();
    await screen.ended("Stopped");
    await screen.button("Stop").waitFor({ state: "detached" });
  });

  test("two tabs show the same turn; the question that one answers is withdrawn from the other", async () => {
    stage.model("Tell both.", run("touch both.txt"), reply().text("Both of you know."));
    const first = await stage.tab();
    const second = await stage.tab();
    await first.begin("Tell both.", { approvals: "Ask always" });
    await second.page.goto(first.page.url());
    await second.button("Approve").waitFor();
    await first.button("Approve").waitFor();
    await second.button("Approve").click();
    await first.button("Approve").waitFor({ state: "detached" });
    for (const screen of [first, second]) {
      await screen.said("Both of you know.").waitFor();
      await screen.ended();
    }
    await first.said(/in another window/).waitFor();
    await second.said("Approved by you").waitFor();
    await becomes(() => first.thread(/Tell both/).count(), 1);
    await becomes(() => second.thread(/Tell both/).count(), 1);
  });

  test("what a hostile model says stays text", async () => {
    const script = "<script>window.bad = 1</script><img src=x onerror='window.bad = 2'>";
    const text = [
      "[a link](javascript:window.bad=3) and [another](data:text/html,<script>window.bad=4</script>)",
      "![pixel](https://tracker.invalid/pixel.png)",
      "```html\n</code></pre><script>window.bad = 5</script>\n```",
      "x".repeat(60_000),
      `The end: ${script}`,
    ].join("\n\n");
    const output = `printf '\\033]8;;javascript:window.bad=6\\033\\\\click\\033]8;;\\033\\\\ \\033[2J\\033[31mred ${script.replaceAll("'", "")}\\n'; head -c 300000 /dev/zero | tr '\\\\0' y; exit 3`;
    stage.model("window.bad = 7", run(output), reply().text(text, { chunks: 50 }));
    const screen = await stage.tab();
    const asked: string[] = [];
    screen.page.on("request", (request) => {
      if (!request.url().startsWith(new URL(screen.page.url()).origin)) asked.push(request.url());
    });
    await screen.begin("<script>window.bad = 7</script>");
    await screen.said(/^The end: <script>window\.bad = 1<\/script><img/).waitFor();
    await screen.ended();
    const seen = await screen.page.evaluate(() => ({
      bad: "bad" in window,
      links: [...document.querySelectorAll("a")]
        .map((link) => link.protocol)
        .filter((protocol) => !/^https?:$/.test(protocol)),
      scripts: document.querySelectorAll("main script, main iframe").length,
      wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    }));
    assert.deepEqual(seen, { bad: false, links: [], scripts: 0, wide: false });
    assert.deepEqual(
      asked.filter((url) => url.startsWith("http")),
      [],
    );
    assert.deepEqual(screen.problems, []);
  });
});
