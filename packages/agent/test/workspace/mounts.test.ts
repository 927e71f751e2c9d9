import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { test } from "node:test";
import {
  createWorkspace,
  Session,
  WorkspaceBudgetExceededError,
  WorkspaceError,
  WorkspaceNotFoundError,
  WorkspaceSection,
} from "@quire/agent";
import { tempDir } from "@quire/testkit";
import { harvest, plant, workspaceFolders } from "./files.ts";

test("7.1: a workspace section tells of the folder, serves its files, and takes it away", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, { "repo/a.txt": "A" });
  const session = new Session();
  const workspace = await createWorkspace({
    mounts: [{ hostPath: join(host.path, "repo") }],
    allowedHostRoots: [host.path],
  });
  const section = new WorkspaceSection(workspace, { session, acceptsOverrides: false });
  assert.equal(section.key, "workspace");
  assert.equal(section.acceptsOverrides, false);
  assert.equal(section.session, session);
  assert.ok(existsSync(workspace.dir));
  assert.match(workspace.fingerprint, /^[0-9a-f]{16}$/);
  assert.ok(workspace.createdAt instanceof Date);
  assert.equal(await workspace.filesystem.readText("repo/a.txt"), "A");
  assert.equal(workspace.mountPreviews.length, 1);
  assert.doesNotMatch(workspace.summary, /codex|claude|gpt/i);
  await section.cleanup();
  assert.ok(!existsSync(workspace.dir));
  await section.cleanup();
});

test("7.2: a mount needs its host path only", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, { "repo/a.txt": "A", "repo/sub/b.txt": "B", "one.txt": "1" });
  await using workspace = await createWorkspace({
    mounts: [
      { hostPath: join(host.path, "repo") },
      { hostPath: join(host.path, "one.txt") },
      { hostPath: join(host.path, "repo", "sub"), mountPath: "deep/er" },
    ],
  });
  assert.deepEqual(await harvest(workspace.dir), {
    "deep/er/b.txt": "B",
    "one.txt": "1",
    "repo/a.txt": "A",
    "repo/sub/b.txt": "B",
  });
});

test("7.2: what can be executed stays so", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, { "run.sh": "#!/bin/sh\n" });
  await chmod(join(host.path, "run.sh"), 0o755);
  await using workspace = await createWorkspace({ mounts: [{ hostPath: join(host.path, "run.sh") }] });
  assert.equal((await stat(join(workspace.dir, "run.sh"))).mode & 0o100, 0o100);
});

test("7.3: what was copied is told mount by mount", async () => {
  await using host = await tempDir("host-");
  const names = Array.from({ length: 25 }, (_, n) => `f${String(n).padStart(2, "0")}.txt`);
  await plant(host.path, Object.fromEntries(names.map((name) => [`many/${name}`, "xy"])));
  await using workspace = await createWorkspace({ mounts: [{ hostPath: join(host.path, "many") }] });
  const [preview] = workspace.mountPreviews;
  assert.deepEqual(preview?.entries, names.slice(0, 20));
  assert.deepEqual(
    { ...preview, entries: 0 },
    {
      hostPath: join(host.path, "many"),
      resolvedHost: join(host.path, "many"),
      mountPath: "many",
      entries: 0,
      entryCount: 25,
      isDirectory: true,
      bytesCopied: 50,
    },
  );
});

test("7.4: without mounts there is an empty folder", async () => {
  await using workspace = await createWorkspace();
  assert.deepEqual(await harvest(workspace.dir), {});
});

test("7.4: a path that is not there is an error, and nothing is left", async () => {
  await using host = await tempDir("host-");
  const before = await workspaceFolders();
  const missing = join(host.path, "missing");
  await assert.rejects(createWorkspace({ mounts: [{ hostPath: missing }] }), (error) => {
    assert.ok(error instanceof WorkspaceNotFoundError && error instanceof WorkspaceError);
    assert.equal(error.hostPath, missing);
    return true;
  });
  await assert.rejects(createWorkspace({ allowedHostRoots: [missing] }), WorkspaceNotFoundError);
  assert.deepEqual(await workspaceFolders(), before);
});

test("7.4: a failure in the middle of copying leaves nothing, and is thrown as it was", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, { "a.txt": "A", "b.txt": "B" });
  const before = await workspaceFolders();
  const seen: string[] = [];
  const failure = new Error("disk on fire");
  const onFile = (path: string) => {
    seen.push(path);
    if (path.endsWith("b.txt")) throw failure;
  };
  await assert.rejects(createWorkspace({ mounts: [{ hostPath: host.path, mountPath: "all" }], onFile }), failure);
  assert.deepEqual(seen, ["all/a.txt", "all/b.txt"]);
  assert.deepEqual(await workspaceFolders(), before);
});

test("7.4: two mounts with the same file are an error that says so", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, { "one/x.txt": "1", "two/x.txt": "2" });
  const mounts = ["one", "two"].map((name) => ({ hostPath: join(host.path, name), mountPath: "same" }));
  await assert.rejects(createWorkspace({ mounts }), /Two mounts have a file/);
});

test("7.7: the bytes of a mount are limited, to the last one", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, { "m/a": "12345", "m/b": "12345", "empty/c": "" });
  const hostPath = join(host.path, "m");
  await using exact = await createWorkspace({ mounts: [{ hostPath, maxBytes: 10 }] });
  assert.equal(exact.mountPreviews[0]?.bytesCopied, 10);
  const before = await workspaceFolders();
  await assert.rejects(createWorkspace({ mounts: [{ hostPath, maxBytes: 9 }] }), (error) => {
    assert.ok(error instanceof WorkspaceBudgetExceededError);
    assert.deepEqual([error.bytes, error.maxBytes], [10, 9]);
    return true;
  });
  await assert.rejects(createWorkspace({ mounts: [{ hostPath, maxBytes: 0 }] }), WorkspaceBudgetExceededError);
  assert.deepEqual(await workspaceFolders(), before, "nothing half-copied is left");
  await using zero = await createWorkspace({ mounts: [{ hostPath: join(host.path, "empty"), maxBytes: 0 }] });
  assert.deepEqual(await harvest(zero.dir), { "empty/c": "" });
  await assert.rejects(createWorkspace({ mounts: [{ hostPath, maxBytes: -1 }] }), /whole number of bytes/);
});

test("7.7: a file that grows while it is copied is caught by the limit too", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, { "m/a": "12345", "m/b": "12345" });
  const before = await workspaceFolders();
  const onFile = async (path: string) => {
    if (path === "m/a") await plant(host.path, { "m/b": "x".repeat(1000) });
  };
  const creating = createWorkspace({ mounts: [{ hostPath: join(host.path, "m"), maxBytes: 10 }], onFile });
  await assert.rejects(creating, WorkspaceBudgetExceededError);
  assert.deepEqual(await workspaceFolders(), before);
});

test("7.8: all mounts together can be limited", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, { "a/x": "12345", "b/x": "12345" });
  const mounts = [{ hostPath: join(host.path, "a") }, { hostPath: join(host.path, "b") }];
  await using fits = await createWorkspace({ mounts, maxTotalBytes: 10 });
  assert.equal(Object.keys(await harvest(fits.dir)).length, 2);
  const before = await workspaceFolders();
  await assert.rejects(createWorkspace({ mounts, maxTotalBytes: 9 }), WorkspaceBudgetExceededError);
  assert.deepEqual(await workspaceFolders(), before);
});

test("7.20: clones of a section share the folder, which goes with the last of them", async () => {
  const workspace = await createWorkspace();
  const original = new WorkspaceSection(workspace);
  const session = new Session();
  const clone = original.clone({ session, dispatcher: session.dispatcher });
  assert.equal(clone.workspace, workspace);
  assert.equal(clone.session, session);
  await original.cleanup();
  await workspace.cleanup();
  assert.ok(existsSync(workspace.dir), "the clone still works in it");
  await clone.cleanup();
  assert.ok(!existsSync(workspace.dir));
  await clone.cleanup();
  assert.throws(() => workspace.retain(), WorkspaceError);
});

test("7.20: cleaning up is fine where the folder has gone already", async () => {
  const workspace = await createWorkspace();
  await rm(workspace.dir, { recursive: true });
  await workspace.cleanup();
  assert.ok(basename(workspace.dir).startsWith("quire-workspace-"));
});

test("7.20: a clone needs a session, and its dispatcher", async () => {
  await using workspace = await createWorkspace();
  const section = new WorkspaceSection(workspace);
  assert.throws(() => section.clone({}), /for a session/);
  assert.throws(
    () => section.clone({ session: new Session(), dispatcher: new Session().dispatcher }),
    /another dispatcher/,
  );
});
