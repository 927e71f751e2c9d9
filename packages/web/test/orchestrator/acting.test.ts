import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "@quire/testkit";
import { assertAccessible } from "../support/axe.ts";
import { type OrchestratorStage, orchestratorStage } from "./stage.ts";

const slow = { timeout: 120_000 };
/** A busy machine starts processes slowly. */
const patience = { timeout: 45_000 };

const column = ({ page }: OrchestratorStage, name: string) => page.getByRole("region", { name, exact: true });
const panel = ({ page }: OrchestratorStage, name: string) => page.getByRole("complementary", { name: `Issue ${name}` });

const settings = `tracker:
  kind: folder
  provider: { path: issues, states: [Review] }
  active_states: [Todo, Rework]
  terminal_states: [Done]
hooks: { after_create: "git clone -q ../../origin.git ." }
deliver:
  to: folder
  provider: { path: pulls }
  remote: origin.git
  base: main
  hand_over: run
  merge: approved
  states: { review: Review, rework: Rework, done: Done }`;

test(
  "a person reads the diff on the board, sends it back with words, and approves what is merged then",
  slow,
  async () => {
    let repository = "";
    await using stage = await orchestratorStage(
      { "PR-1": "write: hello.txt\nHello from the board\n---" },
      {
        settings,
        approvals: "never",
        prepare: (folder) => {
          repository = bareRepository(folder);
        },
      },
    );
    const git = (...args: readonly string[]) => execFileSync("git", ["-C", repository, ...args], { encoding: "utf8" });
    const pr = panel(stage, "PR-1");
    await column(stage, "Review").getByRole("button", { name: /PR-1/ }).click(patience);
    await pr.getByRole("button", { name: "Show diff" }).click();
    await pr.getByText("Hello from the board").waitFor();
    await pr.getByText("quire/PR-1", { exact: true }).waitFor();
    await assertAccessible(stage.page, "an issue in review");

    await pr.getByLabel("What should the agent change?").fill("One more, please.\nwrite: more.txt\nMore\n---");
    await pr.getByRole("button", { name: "Send back" }).click();
    await eventually(() => git("ls-tree", "--name-only", "quire/PR-1").includes("more.txt"), { timeoutMs: 45_000 });
    await pr.getByText(/^2 runs/).waitFor(patience);
    await pr.getByRole("button", { name: "Approve" }).click(patience);
    await column(stage, "Finished").getByRole("button", { name: /PR-1/ }).waitFor(patience);
    assert.match(git("ls-tree", "--name-only", "main"), /hello\.txt[\s\S]*more\.txt/);
  },
);

test("an answer continues a blocked issue, and a stranger's title and address do nothing", slow, async () => {
  const title = JSON.stringify("Pay \u202E<img src=x onerror=document.title=1>");
  const prepare = (folder: string) =>
    writeFileSync(
      join(folder, "issues", "ASK-1.md"),
      `---\ntitle: ${title}\nurl: "javascript:document.title=1"\nstate: Todo\n---\nrun: touch somewhere\n`,
    );
  await using stage = await orchestratorStage({ "ASK-1": "" }, { prepare });
  await column(stage, "Blocked").getByRole("button", { name: /ASK-1/ }).click(patience);
  const ask = panel(stage, "ASK-1");
  await ask.getByRole("link", { name: "Open thread" }).waitFor(patience);
  assert.equal(await ask.getByRole("link").count(), 1, "an address that is no web address is no link");
  const shown = (await column(stage, "Blocked").getByRole("button").textContent()) ?? "";
  assert.match(shown, /Pay .*U\+202E.*<img src=x/);
  assert.notEqual(await stage.page.title(), "1");
  const answer = ask.getByRole("button", { name: "Answer" });
  assert.equal(await answer.isDisabled(), true);
  await ask.getByLabel(/^Answer the agent/).fill('tool: tracker_update {"state": "Done"}');
  await answer.click();
  await column(stage, "Finished").getByRole("button", { name: /ASK-1/ }).waitFor(patience);
});

test("a backlog of ten thousand is scrolled, searched and reordered, a few cards at a time", slow, async () => {
  const name = (index: number) => `W-${String(index).padStart(5, "0")}`;
  const backlog = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [name(index), "slow: 100000"]));
  await using stage = await orchestratorStage(backlog, {
    settings: "tracker: { kind: folder }\nagent: { max_concurrent_agents: 1 }",
  });
  const { page } = stage;
  const waiting = column(stage, "Waiting");
  await waiting.getByText("9,999", { exact: true }).waitFor(patience);
  assert.ok((await waiting.getByRole("listitem").count()) < 40, "only what is in sight is rendered");
  await assertAccessible(page, "a full board");

  await waiting.getByRole("button").first().focus();
  await page.keyboard.press("End");
  await waiting.getByRole("button", { name: /W-00050/ }).waitFor();
  await eventually(async () => {
    await page.keyboard.press("End");
    return waiting.getByRole("button", { name: /W-09999/ }).isVisible();
  }, patient);

  await page.getByRole("searchbox", { name: "Search issues" }).fill("w-0777");
  await waiting.getByText("10", { exact: true }).waitFor();
  const found = waiting.getByRole("button", { name: /W-07770/ });
  assert.match((await found.textContent()) ?? "", /#7770/);
  await found.click();
  await panel(stage, "W-07770").getByLabel("Priority").selectOption("Urgent");
  await eventually(async () => /#1\D/.test((await found.textContent()) ?? ""), patient);
});

const patient = { timeoutMs: 45_000 };

function bareRepository(folder: string): string {
  const [path, first] = [join(folder, "origin.git"), join(folder, "first")];
  mkdirSync(first);
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd: first });
  git("init", "-q", "--bare", "-b", "main", path);
  git("init", "-q", "-b", "main");
  writeFileSync(join(first, "readme.txt"), "Read me\n");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  git("push", "-q", path, "HEAD:refs/heads/main");
  return path;
}
