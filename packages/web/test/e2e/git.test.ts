import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
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
    write("src/one.ts", "one\nmore\n");
    const screen = await stage.tab();
    const panel = await changes(screen, "Beware of traps.");
    await becomes(() => panel.locator(".diff-name").allTextContents(), ["one.ts"]);
    await panel.getByRole("button", { name: "Commit 1 file" }).click();
    await panel.getByText("No changes").waitFor();
    await panel.getByRole("button", { name: "Push" }).click();
    await panel.getByText(/is not an address that can be pushed to from here/).waitFor();
    const names = ["core.fsmonitor", "core.sshCommand", "diff.external", "filter.trap.clean", "diff.trap.textconv"];
    const all = [...names, "diff.trap.command", "credential.helper", "ext", "pre-commit", "commit-msg", "post-commit"];
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
