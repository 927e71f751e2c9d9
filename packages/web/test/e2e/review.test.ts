import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { reply } from "@quire/testkit";
import { assertAccessible } from "../support/axe.ts";
import { becomes, focusComesTo } from "../support/soon.ts";
import { onNewestServers } from "./support/each-server.ts";
import type { Stage } from "./support/stage.ts";

await onNewestServers((open) => {
  let stage: Stage;
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=Me", "-c", "user.email=me@example.org", ...args], {
      cwd: stage.cwd,
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: stage.home, GIT_CONFIG_NOSYSTEM: "1" },
    });
  before(async () => {
    stage = await open();
    git("init", "-q", "-b", "main");
    writeFileSync(join(stage.cwd, "one.ts"), "first\nsecond\nthird\n");
    git("add", "-A");
    git("commit", "-qm", "Begin");
    writeFileSync(join(stage.cwd, "one.ts"), "first\nchanged `second`\nthird\n");
  });
  afterEach(() => stage.closeTabs());
  after(() => stage[Symbol.asyncDispose]());

  test("comments on lines of the diff outlive a reload and go to the agent as one message", async () => {
    stage.model("Look at the lines.", reply().text("Looked."));
    const screen = await stage.tab();
    const { page } = screen;
    await screen.begin("Look at the lines.");
    await screen.ended();
    const panel = page.getByRole("complementary", { name: "Side panel" });
    const openDiff = async (): Promise<void> => {
      await screen.button("Show panel").click();
      await page.getByRole("tab", { name: /^Changes/ }).click();
      await panel
        .getByRole("button", { name: /one\.ts/ })
        .first()
        .click();
    };
    await openDiff();

    await panel.getByRole("button", { name: "Comment on one.ts:2", exact: true }).click();
    await panel.getByRole("textbox", { name: "Comment on one.ts:2", exact: true }).fill("Name it better.");
    await assertAccessible(page, "a comment that is being written");
    await panel.getByRole("button", { name: "Comment", exact: true }).click();
    // By keyboard: the arrows lead from line to line.
    await panel.getByRole("button", { name: "Comment on one.ts:1", exact: true }).focus();
    await page.keyboard.press("ArrowDown");
    await focusComesTo(panel.getByRole("button", { name: "Comment on one.ts:2 (removed line)" }));
    await page.keyboard.press("Enter");
    await panel.getByRole("textbox", { name: /removed line/ }).fill("Was this wrong?");
    await page.keyboard.press("Control+Enter");

    await page.reload();
    const bar = page.getByRole("region", { name: "Comments on lines" });
    await bar.getByText("2 comments").waitFor();
    await openDiff();
    await panel.getByText("Name it better.").waitFor();
    await panel.getByRole("button", { name: "Edit comment on one.ts:2", exact: true }).click();
    await panel.getByRole("textbox", { name: "Comment on one.ts:2", exact: true }).fill("Name it well.");
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    stage.model("Name it well.", reply().text("It is named well now."));
    await bar.getByRole("button", { name: "Send to the agent" }).click();
    await screen.said("It is named well now.").waitFor();
    await bar.waitFor({ state: "detached" });
    const asked = stage.mock.requests.filter((request) => request.inputText().includes("Name it well."));
    const [first] = asked;
    assert.ok(first !== undefined);
    const message = first.inputText();
    assert.match(message, /one\.ts:2\n> changed `second`\nName it well\./);
    assert.match(message, /one\.ts:2 \(removed line\)\n> second\nWas this wrong\?/);
    assert.deepEqual(screen.problems, []);
  });

  test("a finding of a review leads to its lines and becomes a comment", async () => {
    const finding = {
      title: "[P1] Mend the second line",
      body: "It says `second` twice.",
      confidence_score: 0.9,
      priority: 1,
      code_location: { absolute_file_path: join(stage.cwd, "one.ts"), line_range: { start: 2, end: 3 } },
    };
    const found = {
      findings: [finding],
      overall_correctness: "patch is incorrect",
      overall_explanation: "One line is wrong.",
      overall_confidence_score: 0.9,
    };
    stage.model("Before the review.", reply().text("Ready."));
    const screen = await stage.tab();
    const { page } = screen;
    await screen.begin("Before the review.");
    await screen.ended();
    stage.mock
      .when((request) => !request.inputText().includes("Before the review."))
      .reply(reply().text(JSON.stringify(found)));
    await screen.message.fill("/review");
    await screen.message.press("Enter");
    await screen.said("One line is wrong.").waitFor();
    await assertAccessible(page, "the findings of a review");
    await screen.log.getByRole("button", { name: "one.ts:2-3" }).click();
    const panel = page.getByRole("complementary", { name: "Side panel" });
    await panel.locator('[data-line="2"][aria-current]').getByText("changed").waitFor();

    await screen.log.getByRole("button", { name: /^Add to comments/ }).click();
    const bar = page.getByRole("region", { name: "Comments on lines" });
    await bar.getByText("1 comment").click();
    await bar.getByText("one.ts:2-3").waitFor();
    await bar.getByRole("button", { name: "Discard" }).click();
    await becomes(() => bar.count(), 0);
  });

  test("the server's own reviewer answers in the user's place, and what it says is shown", async () => {
    const verdict = (outcome: "allow" | "deny", rationale: string) =>
      reply().text(JSON.stringify({ outcome, risk_level: "low", user_authorization: "high", rationale }));
    stage.mock
      .when(
        ({ body }) =>
          JSON.stringify(body).includes("user_authorization") && JSON.stringify(body).includes("risk_level"),
      )
      .reply(verdict("allow", "It makes one file."), verdict("deny", "That one is not yours."));
    const touch = (file: string) =>
      reply().functionCall("exec_command", {
        cmd: `touch ${file}`,
        sandbox_permissions: "require_escalated",
        justification: "May I?",
      });
    stage.model("Make two files.", touch("made.txt"), touch("other.txt"), reply().text("One is made."));
    const screen = await stage.tab();
    await screen.open();
    await screen.pick("Approvals", "Ask when needed");
    await screen.pick("Sandbox", "Read only");
    await screen.pick("Reviewer", "Automatic reviewer");
    await screen.button("Permissions: Read only, Ask when needed, auto review").waitFor();
    await screen.send("Make two files.");
    await screen.said("One is made.").waitFor();
    await screen.said(/The automatic reviewer approved, low risk/).waitFor();
    await screen.said(/The automatic reviewer declined, low risk/).waitFor();
    await screen.said(/That one is not yours\./).waitFor();
    assert.equal(existsSync(join(stage.cwd, "made.txt")), true);
    assert.equal(existsSync(join(stage.cwd, "other.txt")), false);
    await screen.button("Permissions: Read only, Ask when needed, auto review").waitFor();
    assert.deepEqual(screen.problems, []);
  });
});
