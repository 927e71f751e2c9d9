import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { reply } from "@quire/testkit";
import { assertAccessible } from "../support/axe.ts";
import { becomes } from "../support/soon.ts";
import { onNewestServers } from "./support/each-server.ts";
import type { Stage } from "./support/stage.ts";

const run = (cmd: string) => reply().functionCall("exec_command", { cmd });

await onNewestServers((open) => {
  let stage: Stage;
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=Me", "-c", "user.email=me@example.org", ...args], {
      cwd: stage.cwd,
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: stage.home, GIT_CONFIG_NOSYSTEM: "1" },
    }).trim();
  before(async () => {
    stage = await open();
  });
  beforeEach(() => {
    rmSync(join(stage.cwd, ".git"), { recursive: true, force: true });
    rmSync(`${stage.cwd}.worktrees`, { recursive: true, force: true });
    git("init", "-q", "-b", "main");
    writeFileSync(join(stage.cwd, "a.txt"), "one\n");
    writeFileSync(join(stage.cwd, ".gitignore"), "ignored\n");
    git("add", "-A");
    git("commit", "-qm", "Begin");
  });
  afterEach(() => stage.closeTabs());
  after(() => stage[Symbol.asyncDispose]());

  test("a thread begins in a worktree of its own, comes back with its changes, and leaves nothing lost", async () => {
    const mark = join(stage.home, "hook-ran");
    const hook = join(stage.cwd, ".git", "hooks", "post-checkout");
    mkdirSync(join(hook, ".."), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\ntouch '${mark}'\n`);
    chmodSync(hook, 0o755);
    stage.model(
      "Write the second line!",
      run("echo two >> a.txt; echo new > b.txt; echo x > ignored"),
      reply().text("It is written."),
    );
    const screen = await stage.tab();
    const { page } = screen;
    await screen.open();
    await page.getByRole("switch", { name: "New worktree" }).check();
    await screen.pick("Approvals", "Never ask");
    await screen.send("Write the second line!");
    await page.waitForURL(/#\/thread\//);
    await screen.said("It is written.").waitFor();
    await screen.ended();
    const [name = ""] = readdirSync(`${stage.cwd}.worktrees`);
    assert.match(name, /^write-the-second-line-[0-9a-f]{4}$/);
    const tree = join(`${stage.cwd}.worktrees`, name);
    assert.equal(readFileSync(join(tree, "a.txt"), "utf8"), "one\ntwo\n");
    assert.equal(readFileSync(join(stage.cwd, "a.txt"), "utf8"), "one\n");
    assert.equal(git("-C", tree, "branch", "--show-current"), `quire/${name}`);
    assert.match(git("worktree", "list"), new RegExp(name));
    assert.equal(existsSync(mark), false);

    const dialog = page.getByRole("dialog", { name: "Worktree" });
    await screen.choose("Worktree");
    await dialog.getByText("2 files").waitFor();
    await assertAccessible(page, "the worktree of a thread");
    // What does not fit is not forced.
    writeFileSync(join(stage.cwd, "a.txt"), "uno\n");
    await dialog.getByRole("button", { name: "Move to the local checkout" }).click();
    await dialog.getByText(/do not fit the files in/).waitFor();
    assert.equal(readFileSync(join(stage.cwd, "a.txt"), "utf8"), "uno\n");
    writeFileSync(join(stage.cwd, "a.txt"), "one\n");
    writeFileSync(join(stage.cwd, "mine.txt"), "mine\n");
    await dialog.getByRole("button", { name: "Move to the local checkout" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal(readFileSync(join(stage.cwd, "a.txt"), "utf8"), "one\ntwo\n");
    assert.equal(readFileSync(join(stage.cwd, "b.txt"), "utf8"), "new\n");
    assert.equal(readFileSync(join(stage.cwd, "mine.txt"), "utf8"), "mine\n");
    stage.model("Where are you?", run("pwd > where.txt"), reply().text("Here."));
    await screen.send("Where are you?");
    await screen.said("Here.").waitFor();
    await screen.ended();
    assert.equal(readFileSync(join(stage.cwd, "where.txt"), "utf8").trim(), stage.cwd);
    for (const file of ["b.txt", "mine.txt", "where.txt"]) rmSync(join(stage.cwd, file));
    assert.deepEqual(screen.problems, []);
  });

  test("a thread moves into a worktree with what is not committed, and its removal keeps all that git can keep", async () => {
    writeFileSync(join(stage.cwd, "draft.txt"), "draft\n");
    stage.model("Look around here.", reply().text("I see."));
    const screen = await stage.tab();
    const { page } = screen;
    await screen.begin("Look around here.", { approvals: "Never ask" });
    await screen.said("I see.").waitFor();
    await screen.ended();
    const dialog = page.getByRole("dialog", { name: "Worktree" });
    await screen.choose("Worktree");
    await dialog.getByRole("button", { name: "Move to a new worktree" }).click();
    await dialog.waitFor({ state: "detached" });
    const [name = ""] = readdirSync(`${stage.cwd}.worktrees`);
    const tree = join(`${stage.cwd}.worktrees`, name);
    assert.equal(readFileSync(join(tree, "draft.txt"), "utf8"), "draft\n");
    assert.equal(readFileSync(join(stage.cwd, "draft.txt"), "utf8"), "draft\n");
    stage.model("Write there.", run("echo there > there.txt"), reply().text("Written there."));
    await screen.send("Write there.");
    await screen.said("Written there.").waitFor();
    await screen.ended();
    assert.equal(readFileSync(join(tree, "there.txt"), "utf8"), "there\n");

    writeFileSync(join(tree, "large.bin"), Buffer.alloc(21 * 1024 * 1024));
    await screen.choose("Worktree");
    await dialog.getByRole("button", { name: "Remove worktree" }).click();
    await dialog.getByText(/3 uncommitted files are kept|2 uncommitted files are kept/).waitFor();
    await dialog.getByRole("button", { name: "Delete folder" }).click();
    await dialog.getByText(/too large to be kept by git[\s\S]*large\.bin/).waitFor();
    assert.ok(existsSync(join(tree, "there.txt")));
    rmSync(join(tree, "large.bin"));
    await dialog.getByRole("button", { name: "Delete folder" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal(existsSync(tree), false);
    const saved = git("for-each-ref", "--format=%(objectname)", "refs/quire/worktrees");
    assert.equal(git("show", `${saved}:there.txt`), "there");
    assert.equal(git("show", `${saved}:draft.txt`), "draft");
    assert.match(git("branch", "--list", "quire/*"), new RegExp(name));
    assert.doesNotMatch(git("worktree", "list"), new RegExp(name));
    // The thread works in the checkout again.
    await screen.choose("Worktree");
    await dialog.getByText("Local checkout").waitFor();
    await becomes(() => dialog.getByRole("button", { name: "Remove worktree" }).count(), 0);
    rmSync(join(stage.cwd, "draft.txt"));
    assert.deepEqual(screen.problems, []);
  });
});
