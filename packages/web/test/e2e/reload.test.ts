import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { reply } from "@quire/testkit";
import { onEachServer } from "./support/each-server.ts";
import type { Stage } from "./support/stage.ts";

const patch = "*** Begin Patch\n*** Update File: tide.txt\n@@\n-low\n+high\n*** End Patch\n";

await onEachServer((open) => {
  let stage: Stage;
  before(async () => {
    stage = await open();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: stage.cwd });
    git("init", "-q", "-b", "harbour");
    // Without a commit some versions see no branch.
    git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "--allow-empty", "-m", "Begin");
  });
  afterEach(() => stage.closeTabs());
  after(() => stage[Symbol.asyncDispose]());

  test("what a turn planned, changed and cost, and its branch, are there at once and after a reload", async () => {
    writeFileSync(join(stage.cwd, "tide.txt"), "low\n");
    const plan = [
      { step: "Read the tide", status: "completed" },
      { step: "Turn the tide", status: "completed" },
    ];
    stage.model(
      "Turn the tide.",
      reply().functionCall("update_plan", { plan }).usage({ input: 1000, output: 100 }),
      reply()
        .functionCall("exec_command", { cmd: `apply_patch <<'EOF'\n${patch}EOF` })
        .usage({ input: 2000, output: 200 }),
      reply().text("It is high now.").usage({ input: 4000, output: 400 }),
    );
    const screen = await stage.tab();
    await screen.begin("Turn the tide.", { approvals: "Never ask" });
    await screen.ended();
    await screen.page.locator("main header").getByText("harbour").waitFor();
    const shown = async (): Promise<void> => {
      await screen.said("It is high now.").waitFor();
      await screen.log.getByRole("button", { name: /^Plan.*2 of 2 done/ }).waitFor();
      await screen.log.getByRole("button", { name: /^1 file changed.*tide\.txt.*\+1.*−1/ }).waitFor();
      await screen.log.getByText("7k in, 700 out").waitFor();
      await screen.button("Show panel").click();
      const panel = screen.page.getByRole("tabpanel");
      await screen.page.getByRole("tab", { name: "Plan" }).click();
      await panel.getByText("2 of 2 steps done").waitFor();
      await screen.page.getByRole("tab", { name: "Usage" }).click();
      await panel.getByText("7,700").waitFor();
      await screen.button("Hide panel").click();
    };
    await shown();
    await screen.page.reload();
    await shown();
    assert.deepEqual(screen.problems, []);
  });
});
