import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { reply } from "@quire/testkit";
import type { Locator } from "playwright-core";
import { assertAccessible } from "../support/axe.ts";
import { becomes } from "../support/soon.ts";
import { onNewestServers } from "./support/each-server.ts";
import type { Screen } from "./support/screen.ts";
import type { Stage } from "./support/stage.ts";

await onNewestServers((open) => {
  let stage: Stage;
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=Me", "-c", "user.email=me@example.org", ...args], {
      cwd: stage.cwd,
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: stage.home, GIT_CONFIG_NOSYSTEM: "1" },
    }).trim();
  const write = (path: string, text: string) => writeFileSync(join(stage.cwd, path), text);
  before(async () => {
    stage = await open();
    writeFileSync(join(stage.home, ".gitconfig"), "[user]\n\tname = Me\n\temail = me@example.org\n");
  });
  beforeEach(() => {
    rmSync(join(stage.cwd, ".git"), { recursive: true, force: true });
    rmSync(join(stage.cwd, "src"), { recursive: true, force: true });
    git("init", "-q", "-b", "main");
    mkdirSync(join(stage.cwd, "src"));
    write("src/one.ts", "one\n");
    write("src/two.ts", "two\n");
    write(".gitignore", "secret\n");
    git("add", "-A");
    git("commit", "-qm", "Begin");
  });
  afterEach(() => stage.closeTabs());
  after(() => stage[Symbol.asyncDispose]());

  /** Opens the panel with the changes of a new thread. */
  async function changes(screen: Screen, words: string): Promise<Locator> {
    stage.model(words, reply().text("Said."));
    await screen.begin(words);
    await screen.said("Said.").waitFor();
    await screen.ended();
    await screen.button("Show panel").click();
    await screen.page.getByRole("tab", { name: /^Changes/ }).click();
    return screen.page.getByRole("complementary", { name: "Side panel" });
  }

  test("what is not committed is shown as git knows it, files are chosen, committed and pushed", async () => {
    const origin = join(stage.home, "origin.git");
    rmSync(origin, { recursive: true, force: true });
    git("init", "-q", "--bare", origin);
    git("remote", "add", "origin", origin);
    write("src/one.ts", "one\nmore\n");
    write("src/two.ts", "2\n");
    write("src/new file.ts", "new\n");
    write("secret", "not for git\n");
    const screen = await stage.tab();
    const panel = await changes(screen, "Improve the numbers.");
    await panel.getByText("main", { exact: true }).waitFor();
    await becomes(() => panel.locator(".diff-name").allTextContents(), ["new file.ts", "one.ts", "two.ts"]);
    await assertAccessible(screen.page, "the changes of a repository");

    await panel.getByRole("checkbox", { name: "Commit src/two.ts" }).uncheck();
    const message = panel.getByRole("textbox", { name: "Commit message" });
    assert.equal(await message.inputValue(), "Improve the numbers.");
    await message.fill("Add more\n\nBecause one is not enough.");
    await panel.getByRole("button", { name: "Commit 2 files" }).click();
    await becomes(() => panel.locator(".diff-name").allTextContents(), ["two.ts"]);
    assert.equal(git("log", "-1", "--format=%an %s %b"), "Me Add more Because one is not enough.");
    assert.equal(git("show", "--name-only", "--format=", "HEAD"), "src/new file.ts\nsrc/one.ts");
    // The index is where git's own commit would have left it.
    assert.equal(git("status", "--porcelain"), "M src/two.ts");

    await panel.getByRole("button", { name: "New branch" }).click();
    await panel.getByRole("textbox", { name: "Branch name" }).fill("better/numbers");
    await panel.getByRole("button", { name: "Create branch" }).click();
    await panel.getByText("better/numbers", { exact: true }).waitFor();
    assert.equal(git("branch", "--show-current"), "better/numbers");
    // What was left out is left out until it is chosen.
    await panel.getByRole("checkbox", { name: "Commit src/two.ts" }).check();
    await panel.getByRole("button", { name: "Commit 1 file" }).click();
    await panel.getByText("No changes").waitFor();
    await panel.getByRole("button", { name: "Push" }).click();
    await panel.getByRole("button", { name: "Push" }).waitFor({ state: "detached" });
    assert.equal(git("rev-parse", "HEAD"), git("--git-dir", origin, "rev-parse", "better/numbers"));
    assert.equal(git("status", "-sb").split("\n")[0], "## better/numbers...origin/better/numbers");

    await panel.getByText("Branch", { exact: true }).click();
    await becomes(() => panel.locator(".diff-name").allTextContents(), ["two.ts"]);
    // What is taken back outside of the page is no change any more.
    write("src/one.ts", "one\nmore\nand more\n");
    await panel.getByText("Uncommitted", { exact: true }).click();
    await becomes(() => panel.locator(".diff-name").allTextContents(), ["one.ts"]);
    git("checkout", "-q", ".");
    await panel.getByRole("button", { name: "Refresh" }).click();
    await panel.getByText("No changes").waitFor();
    assert.deepEqual(screen.problems, []);
  });

  test("some hunks of a file are committed, with a message that the model proposed; the last turn is git's too", async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
    write("src/long.ts", `${lines.join("\n")}`);
    git("add", "-A");
    git("commit", "-qm", "Long");
    const screen = await stage.tab();
    stage.model("Write the message of a git commit", reply().text("```\nRename the second line\n```"));
    stage.model(
      "Change three lines.",
      reply().functionCall("exec_command", {
        cmd: "sed -i -e '2s/.*/second/' -e '20s/.*/twentieth/' -e '40s/.*/last/' src/long.ts",
      }),
      reply().text("Changed."),
    );
    write("src/one.ts", "one\nmine\n");
    await screen.begin("Change three lines.", { approvals: "Never ask" });
    await screen.said("Changed.").waitFor();
    await screen.ended();
    await screen.button("Show panel").click();
    await screen.page.getByRole("tab", { name: /^Changes/ }).click();
    const panel = screen.page.getByRole("complementary", { name: "Side panel" });
    await becomes(() => panel.locator(".diff-name").allTextContents(), ["long.ts", "one.ts"]);
    // What the user changed before the turn is not the turn's.
    await panel.getByText("Last turn", { exact: true }).click();
    await becomes(() => panel.locator(".diff-name").allTextContents(), ["long.ts"]);
    await panel.getByText("Uncommitted", { exact: true }).click();
    await becomes(() => panel.locator(".diff-name").allTextContents(), ["long.ts", "one.ts"]);
    await panel.getByRole("checkbox", { name: "Commit src/one.ts" }).uncheck();
    await panel
      .getByRole("button", { name: /long\.ts/ })
      .first()
      .click();
    await panel.getByRole("checkbox", { name: "Commit lines 20" }).uncheck();
    await assertAccessible(screen.page, "the choice of hunks");
    await panel.getByRole("button", { name: "Suggest" }).click();
    const message = panel.getByRole("textbox", { name: "Commit message" });
    await becomes(() => message.inputValue(), "Rename the second line");
    assert.match(stage.mock.last.inputText(), /\+second[\s\S]*\+last/);
    assert.doesNotMatch(stage.mock.last.inputText(), /\+twentieth|\+mine/);
    await panel.getByRole("button", { name: "Commit 1 file" }).click();
    await becomes(async () => git("log", "-1", "--format=%s"), "Rename the second line");
    const committed = lines.with(1, "second").with(39, "last").join("\n");
    assert.equal(git("show", "HEAD:src/long.ts"), committed);
    // The index follows the commit.
    await becomes(async () => git("status", "--porcelain"), "M src/long.ts\n M src/one.ts");
    assert.equal(git("diff", "--cached"), "");
    // The question to the model is no thread of the user.
    assert.equal(await screen.thread(/Write the message/).count(), 0);
    assert.deepEqual(screen.problems, []);
  });

  test("a pull request is made by the forge's program, which sees nothing of the folder, and its checks are shown", async () => {
    git("checkout", "-qb", "feature/bell");
    git("remote", "add", "origin", "https://github.com/owner/bell.git");
    git("update-ref", "refs/remotes/origin/main", "main");
    git("update-ref", "refs/remotes/origin/feature/bell", "HEAD");
    const bin = join(stage.home, ".local", "bin");
    const log = join(stage.home, "gh.log");
    const pull = join(stage.home, "pull.json");
    mkdirSync(bin, { recursive: true });
    // GitHub itself cannot be here: this program answers as its `gh` does.
    writeFileSync(
      join(bin, "gh"),
      `#!/bin/sh\nprintf '%s|' "$PWD" "\${GIT_DIR-none}" "$@" >> '${log}'; echo >> '${log}'\ncase "$2" in create) cp '${pull}.next' '${pull}';; view) cat '${pull}' 2> /dev/null || { echo 'no pull requests found for branch' >&2; exit 1; };; esac\n`,
    );
    chmodSync(join(bin, "gh"), 0o755);
    const checks = [
      {
        __typename: "CheckRun",
        name: "build",
        status: "COMPLETED",
        conclusion: "SUCCESS",
        detailsUrl: "https://ci.example/1",
      },
      { __typename: "StatusContext", context: "lint", state: "FAILURE", targetUrl: "javascript:alert(1)" },
      { __typename: "CheckRun", name: "slow", status: "IN_PROGRESS", conclusion: "" },
    ];
    const answer = {
      number: 7,
      url: "https://github.com/owner/bell/pull/7",
      title: "Ring it",
      state: "OPEN",
      statusCheckRollup: checks,
    };
    writeFileSync(`${pull}.next`, JSON.stringify(answer));
    const screen = await stage.tab();
    const panel = await changes(screen, "Ring the little bell.");
    await panel.getByRole("button", { name: "Create pull request" }).click();
    const form = panel.getByRole("form", { name: "Create pull request" });
    assert.equal(await form.getByRole("textbox", { name: "Title" }).inputValue(), "Ring the little bell.");
    await form.getByRole("textbox", { name: "Title" }).fill("Ring it; touch x");
    await form.getByRole("textbox", { name: "Description" }).fill("It was silent.");
    await assertAccessible(screen.page, "a new pull request");
    await form.getByRole("button", { name: "Create", exact: true }).click();
    const link = panel.getByRole("link", { name: "#7 Ring it" });
    assert.equal(await link.getAttribute("href"), answer.url);
    await panel.getByText("Checks: 1 failed, 1 running, 1 passed").click();
    await panel.getByRole("link", { name: "build" }).waitFor();
    assert.equal(await panel.getByRole("link", { name: "lint" }).count(), 0);
    const calls = readFileSync(log, "utf8").trim().split("\n");
    const create =
      "/|none|pr|create|--repo|github.com/owner/bell|--head|feature/bell|--base|main|--title|Ring it; touch x|";
    assert.ok(
      calls.some((call) => call.startsWith(`${create}--body|It was silent.|`)),
      calls.join("\n"),
    );
    assert.ok(calls.every((call) => call.startsWith("/|none|")));
    for (const file of ["gh.log", "pull.json", "pull.json.next"]) rmSync(join(stage.home, file), { force: true });
    rmSync(join(bin, "gh"));
    assert.deepEqual(screen.problems, []);
  });

  test("a repository's own programs do not run, whatever its configuration says", async () => {
    const marks = join(stage.cwd, "marks");
    mkdirSync(marks, { recursive: true });
    const trap = (name: string): string => {
      const path = join(marks, `${name}.sh`);
      writeFileSync(path, `#!/bin/sh\ntouch '${join(marks, name)}'\ncat\n`);
      chmodSync(path, 0o755);
      return path;
    };
    write(".gitignore", "marks\n");
    write(".gitattributes", "* filter=trap diff=trap\n");
    git("add", "-A");
    git("commit", "-qm", "Attributes");
    for (const key of ["core.fsmonitor", "core.sshCommand", "diff.external", "filter.trap.clean", "diff.trap.textconv"])
      git("config", key, trap(key));
    git("config", "diff.trap.command", trap("diff.trap.command"));
    git("config", "credential.helper", `!${trap("credential.helper")}`);
    git("config", "remote.origin.url", `ext::sh -c ${trap("ext")}`);
    for (const hook of [
      "pre-commit",
      "commit-msg",
      "post-commit",
      "reference-transaction",
      "pre-push",
      "post-index-change",
    ]) {
      const path = join(stage.cwd, ".git", "hooks", hook);
      mkdirSync(join(path, ".."), { recursive: true });
      writeFileSync(path, `#!/bin/sh\ntouch '${join(marks, hook)}'\n`);
      chmodSync(path, 0o755);
    }
    // A repository below has its own.
    mkdirSync(join(stage.cwd, "below"), { recursive: true });
    execFileSync(
      "sh",
      [
        "-c",
        "git init -q . && git config user.name a && git config user.email b && echo x > f && git add f && git commit -qm x",
      ],
      { cwd: join(stage.cwd, "below") },
    );
    const quiet = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "filter.trap.clean=cat"];
    git(...quiet, "-c", "advice.addEmbeddedRepo=false", "add", "below");
    git(...quiet, "commit", "-qm", "Below");
    execFileSync("git", ["config", "core.fsmonitor", trap("below")], { cwd: join(stage.cwd, "below") });
    rmSync(join(stage.cwd, "marks", "core.fsmonitor"), { force: true });
    write("src/one.ts", "one\nmore\n");
    const screen = await stage.tab();
    const panel = await changes(screen, "Beware of traps.");
    await becomes(() => panel.locator(".diff-name").allTextContents(), ["one.ts"]);
    await panel.getByRole("button", { name: "Commit 1 file" }).click();
    await panel.getByText("No changes").waitFor();
    await panel.getByRole("button", { name: "Push" }).click();
    await panel.getByText(/is not an address that can be pushed to from here/).waitFor();
    const names = ["core.fsmonitor", "core.sshCommand", "diff.external", "filter.trap.clean", "diff.trap.textconv"];
    const all = [
      ...names,
      "below",
      "diff.trap.command",
      "credential.helper",
      "ext",
      "pre-commit",
      "commit-msg",
      "post-commit",
    ];
    const ran = [...all, "reference-transaction", "pre-push", "post-index-change"].filter((name) =>
      existsSync(join(marks, name)),
    );
    // Codex itself asks git about a thread's folder with the repository's configuration: that is not the page's doing.
    const itself = stage.isOurs ? [] : ["core.fsmonitor", "filter.trap.clean"];
    assert.deepEqual(
      ran.filter((name) => !itself.includes(name)),
      [],
    );
    rmSync(marks, { recursive: true });
  });
});
