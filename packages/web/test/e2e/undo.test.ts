import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { reply } from "@quire/testkit";
import { assertAccessible } from "../support/axe.ts";
import { becomes, soon } from "../support/soon.ts";
import { onNewestServers } from "./support/each-server.ts";
import type { Screen } from "./support/screen.ts";
import type { Stage } from "./support/stage.ts";

const run = (cmd: string) => reply().functionCall("exec_command", { cmd });
const patch = (body: string) => run(`apply_patch <<'EOF'\n*** Begin Patch\n${body}*** End Patch\nEOF`);

await onNewestServers((open) => {
  let stage: Stage;
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=Me", "-c", "user.email=me@example.org", ...args], {
      cwd: stage.cwd,
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: stage.home, GIT_CONFIG_NOSYSTEM: "1" },
    }).trim();
  const at = (path: string): string => join(stage.cwd, path);
  const text = (path: string): string | null => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : null);
  before(async () => {
    stage = await open();
  });
  beforeEach(() => {
    rmSync(at(".git"), { recursive: true, force: true });
    for (const name of ["kept.txt", "draft.txt", "made.txt", "secret.log", "one.txt"])
      rmSync(at(name), { force: true });
  });
  afterEach(() => stage.closeTabs());
  after(() => stage[Symbol.asyncDispose]());

  /** Opens the dialog of a message, which shows its buttons under the pointer. */
  async function edit(screen: Screen, words: string): Promise<void> {
    await screen.log.getByText(words, { exact: true }).hover();
    await screen.log
      .locator(".items-user")
      .filter({ hasText: words })
      .getByRole("button", { name: "Edit and resend" })
      .click();
  }

  test("a turn goes back with its files and its words, is restored, and is sent again in other words", async () => {
    git("init", "-q", "-b", "main");
    writeFileSync(at("kept.txt"), "as it was\n");
    writeFileSync(at(".gitignore"), "*.log\n");
    git("add", "-A");
    git("commit", "-qm", "Begin");
    writeFileSync(at("draft.txt"), "not committed yet\n");
    stage.model(
      "Tidy the shed.",
      run("echo swept > kept.txt && rm draft.txt && echo new > made.txt && echo log > secret.log"),
      reply().text("The shed is tidy."),
      reply().text("The shed is painted."),
    );
    const screen = await stage.tab();
    const { page } = screen;
    stage.model("Say hello to the shed.", reply().text("Hello, shed."));
    await screen.begin("Say hello to the shed.", { approvals: "Never ask" });
    await screen.said("Hello, shed.").waitFor();
    await screen.ended();
    await screen.send("Tidy the shed.");
    await screen.said("The shed is tidy.").waitFor();
    await screen.ended();
    assert.equal(text("kept.txt"), "swept\n");
    await screen.button("Undo this turn").last().click();
    const dialog = page.getByRole("dialog", { name: "Undo this turn" });
    await becomes(() => dialog.locator(".diff-name").allTextContents(), ["draft.txt", "kept.txt", "made.txt"]);
    await assertAccessible(page, "the question what goes back");
    await dialog.getByRole("button", { name: "Undo", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(["kept.txt", "draft.txt", "made.txt", "secret.log"].map(text), [
      "as it was\n",
      "not committed yet\n",
      null,
      "log\n",
    ]);
    await screen.log.getByText("The shed is tidy.").waitFor({ state: "detached" });
    await screen.said("Hello, shed.").waitFor();
    assert.equal(await screen.message.inputValue(), "Tidy the shed.");
    const dock = page.getByRole("region", { name: "Undone" });
    await dock.getByText("1 turn and 3 files undone").waitFor();
    // Nothing that git shows to its users has changed.
    assert.equal(git("status", "--porcelain"), "?? draft.txt");
    assert.equal(git("log", "--format=%s"), "Begin");
    await page.reload();
    await dock.waitFor();
    await screen.said("Hello, shed.").waitFor();
    assert.equal(await screen.log.getByText("The shed is tidy.").count(), 0);

    await dock.getByRole("button", { name: "Restore" }).click();
    await screen.said("The shed is tidy.").waitFor();
    await dock.waitFor({ state: "detached" });
    assert.deepEqual(["kept.txt", "draft.txt", "made.txt"].map(text), ["swept\n", null, "new\n"]);

    assert.equal(await screen.message.inputValue(), "");
    await edit(screen, "Tidy the shed.");
    await dialog.getByRole("checkbox", { name: "Undo made.txt" }).uncheck();
    await dialog.getByRole("button", { name: "Undo", exact: true }).click();
    await dock.getByText("1 turn and 2 files undone").waitFor();
    assert.deepEqual(["kept.txt", "made.txt"].map(text), ["as it was\n", "new\n"]);
    stage.model("Paint the shed.", reply().text("The shed is painted."));
    await screen.message.fill("Paint the shed.");
    await screen.button("Send").click();
    await screen.said("The shed is painted.").waitFor();
    await dock.waitFor({ state: "detached" });
    assert.doesNotMatch(stage.mock.last.inputText(), /Tidy the shed/);
    assert.match(stage.mock.last.inputText(), /Say hello to the shed/);
    await page.reload();
    await screen.said("The shed is painted.").waitFor();
    assert.equal(await screen.log.getByText("Tidy the shed.", { exact: true }).count(), 0);
    assert.deepEqual(screen.problems, []);
  });

  test("without git the agent's own edits go back, and nothing does where a file was changed since", async () => {
    writeFileSync(at("one.txt"), "first\nsecond\nthird\n");
    stage.model(
      "Count in German.",
      patch("*** Update File: one.txt\n@@\n first\n-second\n+zweite\n third\n*** Add File: made.txt\n+neu\n"),
      reply().text("Gezählt."),
    );
    const screen = await stage.tab();
    const { page } = screen;
    await screen.begin("Count in German.", { approvals: "Never ask" });
    await screen.said("Gezählt.").waitFor();
    await screen.ended();
    assert.equal(text("one.txt"), "first\nzweite\nthird\n");
    const dialog = page.getByRole("dialog", { name: "Undo this turn" });
    await screen.button("Undo this turn").click();
    await dialog.getByText("Files", { exact: true }).click();
    writeFileSync(at("made.txt"), "mine\n");
    await dialog.getByRole("button", { name: "Undo", exact: true }).click();
    await dialog.getByText(/made\.txt was changed since\. Nothing was undone\./).waitFor();
    assert.deepEqual(["one.txt", "made.txt"].map(text), ["first\nzweite\nthird\n", "mine\n"]);
    writeFileSync(at("made.txt"), "neu\n");
    writeFileSync(at("one.txt"), "zeroth\nfirst\nzweite\nthird\n");
    await dialog.getByRole("button", { name: "Undo", exact: true }).click();
    const dock = page.getByRole("region", { name: "Undone" });
    await dock.getByText("2 files undone").waitFor();
    assert.deepEqual(["one.txt", "made.txt"].map(text), ["zeroth\nfirst\nsecond\nthird\n", null]);
    await screen.said("Gezählt.").waitFor();
    await dock.getByRole("button", { name: "Restore" }).click();
    await dock.waitFor({ state: "detached" });
    await soon(async () =>
      assert.deepEqual(["one.txt", "made.txt"].map(text), ["zeroth\nfirst\nzweite\nthird\n", "neu\n"]),
    );
    assert.deepEqual(screen.problems, []);
  });

  test("a file does not go back through a link that leads out of the folder", async () => {
    const outside = join(stage.home, "outside");
    for (const name of ["room", "outside"])
      rmSync(name === "room" ? at(name) : outside, { recursive: true, force: true });
    mkdirSync(at("room"));
    mkdirSync(outside, { recursive: true });
    writeFileSync(at("room/.profile"), "evil\n");
    stage.model(
      "Clear the room.",
      patch("*** Delete File: room/.profile\n"),
      run(`rmdir room && ln -s '${outside}' room`),
      reply().text("It is empty."),
    );
    const screen = await stage.tab();
    await screen.begin("Clear the room.", { approvals: "Never ask" });
    await screen.ended();
    await screen.button("Undo this turn").click();
    const dialog = screen.page.getByRole("dialog", { name: "Undo this turn" });
    await dialog.getByRole("button", { name: "Undo", exact: true }).click();
    await dialog.getByText(/room is a link now\. Nothing was undone\./).waitFor();
    assert.deepEqual(readdirSync(outside), []);
    rmSync(at("room"));
  });
});
