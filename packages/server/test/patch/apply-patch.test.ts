import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { SandboxPolicy } from "@quire/protocol";
import { patching } from "./patching.ts";

const ten = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

describe("apply_patch", () => {
  test("a file is updated, and items, diff and model are told", async () => {
    // A repository of its own: the diff names files from its root.
    await using p = await patching({ "a.txt": ten, ".git/HEAD": "" });
    const told = await p.apply("*** Update File: a.txt\n@@\n one\n-two\n+TWO\n three");
    assert.match(
      told,
      /^Exit code: 0\nWall time: [\d.]+ seconds\nOutput:\nSuccess\. Updated the following files:\nM a\.txt\n$/,
    );
    assert.equal(await p.read("a.txt"), ten.replace("two", "TWO"));
    const [started] = p.thread.all("started");
    assert.equal(started.type, "fileChange");
    assert.equal(started.status, "inProgress");
    assert.deepEqual(started.changes, [
      {
        path: join(p.path, "a.txt"),
        kind: { type: "update", move_path: null },
        diff: "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n",
      },
    ]);
    assert.equal(p.thread.all("completed")[0].status, "completed");
    assert.deepEqual(p.thread.all("turn/diff/updated"), [
      {
        diff: "diff --git a/a.txt b/a.txt\nindex c9e9e05f445e6b772f19fea1449759b7458a446e..ba8f42d96d5feb97993a58063308b7e7b176d2f5\n--- a/a.txt\n+++ b/a.txt\n@@ -1,5 +1,5 @@\n one\n-two\n+TWO\n three\n four\n five\n",
      },
    ]);
  });

  test("files are added, deleted and moved in one patch, told by path", async () => {
    await using p = await patching({ "old.txt": "gone\n", "mv.txt": "m1\nm2\n" });
    const told = await p.apply(
      "*** Update File: mv.txt\n*** Move to: sub/dir/moved.txt\n@@\n m1\n-m2\n+M2\n*** Delete File: old.txt\n*** Add File: new/b.txt\n+hello\n+\n+world",
    );
    assert.match(told, /A new\/b\.txt\nM sub\/dir\/moved\.txt\nD old\.txt\n$/);
    assert.equal(await p.read("sub/dir/moved.txt"), "m1\nM2\n");
    assert.equal(await p.read("new/b.txt"), "hello\n\nworld\n");
    assert.ok(!existsSync(join(p.path, "mv.txt")) && !existsSync(join(p.path, "old.txt")));
    const [{ changes }] = p.thread.all("completed");
    assert.deepEqual(
      changes.map(({ kind }: { kind: { type: string } }) => kind.type),
      ["update", "add", "delete"],
    );
    assert.equal(changes[0].diff, `@@ -1,2 +1,2 @@\n m1\n-m2\n+M2\n\n\nMoved to: ${join(p.path, "sub/dir/moved.txt")}`);
    assert.equal(changes[1].diff, "hello\n\nworld\n");
    assert.equal(changes[2].diff, "gone\n");
  });

  test("a patch over more folders than are kept open is applied whole, and closes them all", async () => {
    await using p = await patching({});
    const open = () => readdirSync("/proc/self/fd").length;
    const before = open();
    const names = Array.from({ length: 150 }, (_, n) => `f${n}/sub/a.txt`);
    await p.apply(names.map((name) => `*** Add File: ${name}\n+one`).join("\n"));
    const told = await p.apply(names.map((name) => `*** Update File: ${name}\n@@\n-one\n+two`).join("\n"));
    assert.match(told, /^Exit code: 0/);
    for (const name of names) assert.equal(await p.read(name), "two\n");
    assert.ok(open() < before + 20, `${open()} open descriptors, ${before} before`);
  });

  test("a path that the system does not take is refused, and nothing of the patch is done", async () => {
    await using p = await patching({ "a.txt": "one\n" });
    for (const name of ["x".repeat(300), `${"y/".repeat(3000)}z`, "nul\0.txt"]) {
      const patch = `*** Update File: a.txt\n@@\n-one\n+two\n*** Add File: ${name}\n+three`;
      const told = await p.apply(patch).catch((error: Error) => error.message);
      assert.match(told, /verification failed|Nothing was changed/, name.slice(0, 10));
      assert.equal(await p.read("a.txt"), "one\n");
    }
    assert.deepEqual(
      readdirSync(p.path).filter((name) => name !== "home"),
      ["a.txt"],
    );
  });

  test("line endings, a missing final line break and permissions stay", async () => {
    await using p = await patching({
      "crlf.txt": "one\r\ntwo\r\nthree\r\n",
      "open.txt": "one\ntwo",
      "run.sh": "#!/bin/sh\ntrue\n",
    });
    chmodSync(join(p.path, "run.sh"), 0o750);
    await p.apply(
      "*** Update File: crlf.txt\n@@\n one\n-two\n+TWO\n+more\n*** Update File: open.txt\n@@\n one\n-two\n+TWO\n*** Update File: run.sh\n@@\n-true\n+false",
    );
    assert.equal(await p.read("crlf.txt"), "one\r\nTWO\r\nmore\r\nthree\r\n");
    assert.equal(await p.read("open.txt"), "one\nTWO");
    assert.equal(statSync(join(p.path, "run.sh")).mode & 0o777, 0o750);
    const open = p.thread.all("completed")[0].changes[1].diff;
    assert.equal(
      open,
      "@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+TWO\n\\ No newline at end of file\n",
    );
  });

  test("a file that a link leads to is changed, and the link stays", async () => {
    await using p = await patching({ "real/a.txt": "one\n" });
    symlinkSync("real/a.txt", join(p.path, "link.txt"));
    await p.apply("*** Update File: link.txt\n@@\n-one\n+ONE");
    assert.equal(await p.read("real/a.txt"), "ONE\n");
    assert.equal(await p.read("link.txt"), "ONE\n");
  });

  test("a place is found by the lines above it, by the end of the file, and despite spaces and typographic signs", async () => {
    const twice = "def a\n  x\n  y\ndef b\n  x\n  y\n";
    await using p = await patching({
      "h.txt": twice,
      "e.txt": twice,
      "w.txt": "\tfoo  \nbar\n",
      "t.txt": "a – b “q”\n",
      "i.txt": twice,
    });
    await p.apply(
      [
        "*** Update File: h.txt\n@@ def b\n   x\n-  y\n+  Y",
        "*** Update File: e.txt\n@@\n   x\n-  y\n+  Y\n*** End of File",
        "*** Update File: w.txt\n@@\n foo\n-bar\n+BAR",
        '*** Update File: t.txt\n@@\n-a - b "q"\n+c',
        "*** Update File: i.txt\n@@ def a\n+  new",
      ].join("\n"),
    );
    assert.equal(await p.read("h.txt"), "def a\n  x\n  y\ndef b\n  x\n  Y\n");
    assert.equal(await p.read("e.txt"), "def a\n  x\n  y\ndef b\n  x\n  Y\n");
    assert.equal(await p.read("w.txt"), "\tfoo  \nBAR\n", "what stays is left to the byte");
    assert.equal(await p.read("t.txt"), "c\n");
    assert.equal(await p.read("i.txt"), "def a\n  new\n  x\n  y\ndef b\n  x\n  y\n");
  });

  test("a patch that does not fit changes nothing, makes no item and says which part and why", async () => {
    await using p = await patching({ "a.txt": ten, "b.txt": "b\n" });
    const refused = await p.refused(
      "*** Update File: b.txt\n@@\n-b\n+B\n*** Update File: a.txt\n@@\n one\n@@\n three\n-nope\n+x",
    );
    assert.match(
      refused,
      /^apply_patch verification failed: Failed to find expected lines in .*a\.txt:\nthree\nnope\n/,
    );
    assert.match(
      refused,
      /\(hunk 2 of 2, line 9 of the patch: line 3 fits, but after 1 of 2 lines line 4 is 'four' instead of 'nope'\)$/,
    );
    assert.match(
      await p.refused("*** Update File: a.txt\n@@\n-ten\n@@\n-one"),
      /they stand before line 11.*order hunks from top to bottom/,
    );
    assert.match(
      await p.refused("*** Update File: a.txt\n@@ nowhere\n one"),
      /Failed to find context 'nowhere' in .*a\.txt\n\(hunk 1 of 1/,
    );
    assert.match(
      await p.refused("*** Update File: none.txt\n@@\n-a"),
      /Failed to read file to update .*none\.txt: No such file or directory \(os error 2\)/,
    );
    assert.match(await p.refused("*** Delete File: none.txt"), /Failed to read .*none\.txt: No such file/);
    assert.match(
      await p.refused("*** Delete File: a.txt\n*** Update File: ./a.txt\n@@\n-one"),
      /multiple operations target .*a\.txt/,
    );
    assert.equal(await p.read("b.txt"), "b\n");
    assert.deepEqual(p.thread.told, []);
  });

  test("a patch that cannot be read is refused with the line", async () => {
    await using p = await patching({ "a.txt": ten });
    const raw = (patch: string) => p.thread.failure("apply_patch", patch, { kind: "custom" });
    assert.match(await raw("*** Update File: a.txt"), /The first line of the patch must be '\*\*\* Begin Patch'/);
    assert.match(
      await raw("*** Begin Patch\n*** Delete File: a.txt"),
      /The last line of the patch must be '\*\*\* End Patch'/,
    );
    assert.equal(await raw("*** Begin Patch\n*** End Patch"), "patch rejected: empty patch");
    assert.match(
      await p.refused("*** Frob File: x"),
      /invalid hunk at line 2, '\*\*\* Frob File: x' is not a valid hunk header/,
    );
    assert.match(
      await p.refused("*** Update File: a.txt"),
      /invalid hunk at line 2, Update file hunk for path 'a.txt' is empty/,
    );
    assert.match(
      await p.refused("*** Update File: a.txt\n@@\n-one\nxONE"),
      /invalid hunk at line 5, Expected update hunk to start with a @@/,
    );
    assert.match(await p.refused("*** Update File: a.txt\n@@\nxONE"), /invalid hunk at line 4, Unexpected line/);
  });

  test("it is also taken as a function, in a here-document, and with line numbers after @@", async () => {
    await using p = await patching({ "a.txt": ten });
    const patch = (from: string, to: string) =>
      `*** Begin Patch\n*** Update File: a.txt\n@@ -1,2 +1,2 @@\n-${from}\n+${to}\n*** End Patch`;
    await p.thread.call("apply_patch", { input: patch("one", "1") });
    await p.thread.call("apply_patch", `<<'EOF'\n${patch("two", "2")}\nEOF\n`, { kind: "custom" });
    assert.match(await p.read("a.txt"), /^1\n2\nthree\n/);
  });

  test("what fails while it is written is undone", async () => {
    await using p = await patching({ "a.txt": "one\n", "a2.txt": "x\n", z: "kept\n" });
    // A folder in the place of the new file shows only when it is put in place.
    const told = await p.apply(
      "*** Update File: a.txt\n@@\n-one\n+ONE\n*** Update File: a2.txt\n*** Move to: z\n@@\n-x\n+y\n*** Add File: fresh/dir/n.txt\n+n\n*** Add File: fresh\n+n",
    );
    assert.match(told, /^Exit code: 1\n[\s\S]*Nothing was changed: /);
    assert.equal(p.thread.all("completed")[0].status, "failed");
    assert.equal(await p.read("a.txt"), "one\n");
    assert.equal(await p.read("z"), "kept\n", "a file that was moved over is there again");
    assert.deepEqual(readdirSync(p.path).sort(), ["a.txt", "a2.txt", "z"]);
  });

  test("patches of one response that touch the same file do not lose each other", async () => {
    await using p = await patching({ "a.txt": ten });
    const numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    await Promise.all(numbers.map((word) => p.apply(`*** Update File: a.txt\n@@\n-${word}\n+${word.toUpperCase()}`)));
    assert.equal(await p.read("a.txt"), ten.toUpperCase());
    const last = p.thread.all("turn/diff/updated").at(-1).diff;
    assert.equal(last.match(/^\+[A-Z]/gm)?.length, 10, "the diff is against the start of the turn");
    assert.equal(p.thread.toolbox.turnDiff("turn"), last);
    assert.equal(p.thread.toolbox.turnDiff("another"), undefined);
  });

  test("a file that comes and goes within a turn leaves no trace in its diff", async () => {
    await using p = await patching({ "a.txt": "one\n" });
    await p.apply("*** Add File: n.txt\n+n");
    await p.apply("*** Delete File: n.txt");
    await p.apply("*** Update File: a.txt\n@@\n-one\n+ONE");
    await p.apply("*** Update File: a.txt\n@@\n-ONE\n+one");
    assert.equal(p.thread.toolbox.turnDiff("turn"), "");
  });

  test("paths in the diff are those of the repository, and binary files are named only", async () => {
    await using p = await patching({ "sub/a.txt": "one\n", "sub/b.bin": new Uint8Array([0, 255]) });
    mkdirSync(join(p.path, ".git"));
    const { FakeThread } = await import("../tools/fake-context.ts");
    const thread = new FakeThread(join(p.path, "sub"));
    const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+ONE\n*** Delete File: b.bin\n*** End Patch";
    await thread.call("apply_patch", patch, { kind: "custom" });
    const diff = thread.toolbox.turnDiff("turn") ?? "";
    assert.match(diff, /^diff --git a\/sub\/a\.txt b\/sub\/a\.txt\n/);
    assert.match(diff, /\nBinary files a\/sub\/b\.bin and \/dev\/null differ\n$/);
    assert.equal(thread.all("completed")[0].changes[1].diff, "Binary file, 2 bytes");
    rmdirSync(join(p.path, ".git"));
  });
});

describe("apply_patch under a sandbox policy", () => {
  const add = (path: string) => `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`;

  test("nothing is written where a command could not write", async () => {
    await using p = await patching({ "work/a.txt": "", ".codex/config.toml": "", "work/.git/HEAD": "" });
    symlinkSync(p.path, join(p.path, "work/up"));
    const { FakeThread } = await import("../tools/fake-context.ts");
    const cwd = join(p.path, "work");
    const thread = (sandboxPolicy: SandboxPolicy) =>
      new FakeThread(cwd, {
        env: { HOME: p.path, TMPDIR: cwd },
        settings: { sandboxPolicy },
      });
    const readOnly = thread({ type: "readOnly", networkAccess: false });
    assert.match(
      await readOnly.failure("apply_patch", add("n.txt"), { kind: "custom" }),
      /^patch rejected: writing is blocked by read-only sandbox/,
    );
    const workspace = thread({
      type: "workspaceWrite",
      writableRoots: [],
      networkAccess: false,
      excludeTmpdirEnvVar: false,
      excludeSlashTmp: true,
    });
    for (const path of [
      "../n.txt",
      "up/n.txt",
      ".git/hooks/pre-commit",
      ".codex/config.toml",
      "up/.codex/config.toml",
      "/etc/n.txt",
    ]) {
      assert.match(await workspace.failure("apply_patch", add(path), { kind: "custom" }), /^patch rejected: /, path);
    }
    assert.deepEqual([...readOnly.told, ...workspace.told], []);
    await workspace.call("apply_patch", add("sub/n.txt"), { kind: "custom" });
    assert.equal(await p.read("work/sub/n.txt"), "x\n");
  });
});

describe("apply_patch as a command", () => {
  const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+$ONE `x`\n*** End Patch";

  test("a here-document in exec_command is a file change, not a command", async () => {
    for (const cmd of [
      `apply_patch <<'EOF'\n${patch}\nEOF\n`,
      `apply_patch <<EOF\n${patch}\nEOF`,
      `apply_patch '${patch}'`,
    ]) {
      await using p = await patching({ "a.txt": "one\n" });
      const told = await p.thread.call("exec_command", { cmd });
      assert.match(told, /^Wall time: [\d.]+ seconds\nOutput:\nExit code: 0\n/);
      assert.equal(await p.read("a.txt"), "$ONE `x`\n");
      assert.equal(p.thread.all("started")[0].type, "fileChange");
    }
  });

  test("workdir and a cd before it are followed", async () => {
    await using p = await patching({ "sub/dir/a.txt": "one\n" });
    await p.thread.call("exec_command", { cmd: `cd dir && apply_patch <<'EOF'\n${patch}\nEOF`, workdir: "sub" });
    assert.equal(await p.read("sub/dir/a.txt"), "$ONE `x`\n");
  });

  test("a patch that does not fit is refused like any other", async () => {
    await using p = await patching({ "a.txt": "else\n" });
    assert.match(
      await p.thread.failure("exec_command", { cmd: `apply_patch <<'EOF'\n${patch}\nEOF` }),
      /^apply_patch verification failed: /,
    );
    assert.deepEqual(p.thread.told, []);
  });

  test("a script that does more than that runs as it is", async () => {
    await using p = await patching({ "a.txt": "one\n" });
    await p.thread.call("exec_command", { cmd: "echo apply_patch <<'EOF'\nx\nEOF" });
    assert.equal(p.thread.all("started")[0].type, "commandExecution");
  });
});
