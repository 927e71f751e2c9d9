import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertNoProcesses, eventually, tempDir } from "@quire/testkit";
import { fakeAgent } from "../support/place.ts";

const quire = join(import.meta.dirname, "..", "..", "..", "cli", "bin", "quire");
const leave = "\x1b[?1049l";
const patience = { timeoutMs: 40_000 };

/** `quire orchestrate` on a terminal of its own, with one issue whose agent never ends. */
async function onTerminal() {
  const dir = await tempDir("quire-terminal-");
  mkdirSync(join(dir.path, "issues"));
  writeFileSync(join(dir.path, "issues", "TTY-1.md"), "---\ntitle: Never ends\nstate: Todo\n---\n");
  const front = {
    tracker: { kind: "folder" },
    workspace: { root: "workspaces" },
    codex: { command: fakeAgent("hang"), read_timeout_ms: 60_000 },
  };
  writeFileSync(join(dir.path, "WORKFLOW.md"), `---\n${JSON.stringify(front)}\n---\nWork.\n`);
  let text = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn([quire, "orchestrate"], {
    cwd: dir.path,
    env: { ...process.env, HOME: dir.path, QUIRE_HOME: join(dir.path, "home"), TTY_TEST: dir.path },
    terminal: {
      cols: 100,
      rows: 20,
      data(_, data) {
        text += decoder.decode(data, { stream: true });
      },
    },
  });
  return {
    child,
    text: () => text,
    /** The last drawing, line by line, without its control sequences. */
    seen: () =>
      (text.split("\x1b[H").at(-1) ?? "")
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are what is removed
        .replace(/\x1b\[[?\d;]*[A-Za-z]/g, "")
        .split(/\r+\n/),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
      child.terminal?.close();
      await assertNoProcesses({ tag: `TTY_TEST=${dir.path}` });
      await dir.remove();
    },
  };
}

test("on a terminal the table follows the window, and Ctrl-C twice gives the terminal back", async () => {
  await using at = await onTerminal();
  await eventually(() => at.text().includes("Run this? [y/N]"), patience);
  at.child.terminal?.write("y\n");
  await eventually(() => at.seen().some((line) => /^TTY-1 +StreamingTurn/.test(line)), patience);
  at.child.terminal?.resize(40, 8);
  await eventually(() => at.seen().length <= 8 && at.seen().every((line) => line.length <= 40), patience);
  at.child.terminal?.write("\x03");
  await eventually(
    () => at.seen().some((line) => line.includes("[draining]")) || at.text().includes("finishing running turns"),
    patience,
  );
  assert.ok(!at.text().includes(leave));
  at.child.terminal?.write("\x03");
  assert.equal(await at.child.exited, 130);
  await eventually(() => at.text().includes(leave), patience);
  assert.equal(at.text().split(leave).length, 2);
});

test("a process that exits without a word still gives the terminal back", async () => {
  const code = `
    import { showProgress } from "@quire/orchestrator";
    const control = { subscribe: () => () => {}, snapshot() { throw new Error("nothing yet"); } };
    showProgress(control, { stdout: process.stdout, stderr: process.stderr });
    setTimeout(() => process.exit(3), 50);`;
  let text = "";
  const child = Bun.spawn([process.execPath, "-e", code], {
    cwd: import.meta.dirname,
    terminal: {
      cols: 80,
      rows: 24,
      data(_, data) {
        text += new TextDecoder().decode(data);
      },
    },
  });
  assert.equal(await child.exited, 3);
  await eventually(() => text.includes("nothing yet") && text.endsWith(leave), patience);
  child.terminal?.close();
});
