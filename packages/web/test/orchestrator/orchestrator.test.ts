import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "@quire/testkit";
import { assertAccessible } from "../support/axe.ts";
import { becomes } from "../support/soon.ts";
import { orchestratorStage } from "./stage.ts";

const slow = { timeout: 120_000 };
/** A busy machine starts processes slowly. */
const patience = { timeout: 45_000 };

test("an operator sees what runs, waits, is blocked and done, and can pause, retry and stop", slow, async () => {
  await using stage = await orchestratorStage({
    "RUN-1": "slow: 20000",
    "BLK-1": "run: touch somewhere",
    "FAIL-1": "fail: 500",
    "FIN-1": 'tool: tracker_update {"state": "Done"}',
  });
  const { page } = stage;
  const card = (column: string, name: string) =>
    page.getByRole("region", { name: column, exact: true }).getByRole("button", { name: new RegExp(name) });
  await card("Running", "RUN-1").waitFor(patience);
  await card("Blocked", "BLK-1").waitFor(patience);
  await card("Retrying", "FAIL-1").waitFor(patience);
  await card("Finished", "FIN-1").waitFor(patience);
  await card("Blocked", "approval_required").waitFor();
  await assertAccessible(page, "the orchestrator's page");

  // The timeline of a run, and the way into its thread.
  await card("Finished", "FIN-1").click();
  const panel = page.getByRole("complementary", { name: "Issue FIN-1" });
  await panel.getByText("turn completed", { exact: true }).first().waitFor();
  await panel.getByText("tracker_update", { exact: true }).first().waitFor();
  await assertAccessible(page, "an issue's panel");
  const link = panel.getByRole("link", { name: "Open thread" });
  await link.waitFor(patience);
  assert.match((await link.getAttribute("href")) ?? "", /^#\/thread\/.+\/.+/);

  // What waits for a person leads to the thread that it waits in.
  await card("Blocked", "BLK-1").click();
  const blocked = page.getByRole("complementary", { name: "Issue BLK-1" });
  await blocked.getByRole("link", { name: "Open thread" }).waitFor(patience);
  await blocked
    .getByRole("region", { name: "Run 1", exact: true })
    .getByText(/approval required/)
    .first()
    .waitFor();

  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Pause" }).waitFor();

  await card("Running", "RUN-1").click();
  await page.getByRole("complementary", { name: "Issue RUN-1" }).getByRole("button", { name: "Stop" }).click();
  await card("Blocked", "RUN-1").waitFor(patience);

  await page.getByRole("complementary", { name: "Issue RUN-1" }).getByRole("button", { name: "Retry now" }).click();
  await card("Running", "RUN-1").waitFor(patience);

  // Each run has a timeline of its own, the newest first.
  const runs = page.getByRole("complementary", { name: "Issue RUN-1" }).getByRole("region", { name: /^Run \d/ });
  await eventually(async () => (await runs.count()) === 2, { timeoutMs: 45_000 });
  assert.match((await runs.first().textContent()) ?? "", /^Run 2/);

  stage.move("RUN-1", "Done");
  await page.getByRole("button", { name: "Refresh" }).click();
  await card("Finished", "RUN-1").waitFor(patience);
});

test("what agents used and the limits that they were told are on the page", slow, async () => {
  const agent = join(import.meta.dirname, "..", "..", "..", "orchestrator", "test", "support", "fake-agent.ts");
  await using stage = await orchestratorStage({ "TOK-1": "x" }, { command: `'${process.execPath}' '${agent}' tokens` });
  const { page } = stage;
  const limit = page.getByRole("meter").first();
  await limit.waitFor(patience);
  await becomes(() => limit.getAttribute("aria-valuenow"), "42");
  const tokens = page.locator("dl > div").filter({ hasText: "Tokens" });
  await eventually(async () => /^[1-9][\d,]* in, [1-9]\d* out$/.test((await tokens.getAttribute("title")) ?? ""), {
    timeoutMs: 45_000,
  });
});

test("a page whose orchestrator goes away says so, and goes on when it is back", slow, async () => {
  await using stage = await orchestratorStage({});
  const { page } = stage;
  await page.getByText("Nothing to do").waitFor(patience);
  await stage.stopOrchestrator();
  await page.getByText(/The orchestrator does not answer; this is its last known state/).waitFor(patience);
  await becomes(() => page.getByRole("button", { name: "Pause" }).isDisabled(), true);
  await stage.startOrchestrator();
  await eventually(async () => page.getByRole("button", { name: "Pause" }).isEnabled(), { timeoutMs: 45_000 });
  await page.getByText(/does not answer/).waitFor({ state: "detached" });
});
