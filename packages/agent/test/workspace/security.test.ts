import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createWorkspace, type HostMount, WorkspaceSecurityError } from "@quire/agent";
import { HostFilesystem } from "@quire/agent/runtime";
import { tempDir } from "@quire/testkit";
import { harvest, plant, workspaceFolders } from "./files.ts";

/** What a mount gave, and that it left nothing where it failed. */
async function mounted(mount: HostMount, options: { roots?: string[]; onFile?: (path: string) => Promise<void> } = {}) {
  const before = await workspaceFolders();
  try {
    await using workspace = await createWorkspace({
      mounts: [mount],
      allowedHostRoots: options.roots,
      onFile: options.onFile,
    });
    return await harvest(workspace.dir);
  } finally {
    assert.deepEqual(await workspaceFolders(), before);
  }
}

test("7.9: a mount must lie in an allowed root, with all links resolved on both sides", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, {
    "in/a.txt": "A",
    "out/b.txt": "B",
    "in-evil/c.txt": "C",
    "in/link": "→ ../out",
    alias: "→ in",
  });
  const at = (path: string) => ({ hostPath: join(host.path, path), mountPath: "m" });
  const roots = [join(host.path, "in")];
  assert.deepEqual(await mounted(at("in"), { roots }), { "m/a.txt": "A" });
  assert.deepEqual(await mounted(at("in"), { roots: [join(host.path, "alias")] }), { "m/a.txt": "A" });
  for (const path of ["out", "in-evil", "in/link", "in/../out", "in/link/b.txt"]) {
    await assert.rejects(mounted(at(path), { roots }), WorkspaceSecurityError, path);
  }
  assert.deepEqual(await mounted(at("out"), { roots: [] }), { "m/b.txt": "B" }, "no roots: unrestricted");
});

test("7.10: a mount cannot leave the workspace", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, { "a.txt": "A" });
  const paths = ["..", "../x", "a/../../x", "/etc/x", "\\x", "C:\\x", "a\\..\\..\\x", "", "x\0y"];
  for (const mountPath of paths) {
    const mount = { hostPath: join(host.path, "a.txt"), mountPath };
    await assert.rejects(mounted(mount), WorkspaceSecurityError, JSON.stringify(mountPath));
  }
});

test("7.11: links in a folder are left out, or followed within it", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, {
    "secret.txt": "S",
    "elsewhere/x.txt": "X",
    "m/a.txt": "A",
    "m/sub/b.txt": "B",
    "m/to-a": "→ a.txt",
    "m/to-sub": "→ sub",
    "m/to-secret": "→ ../secret.txt",
    "m/to-elsewhere": "→ ../elsewhere",
    "m/absolute": "→ /etc/hostname",
    "m/broken": "→ nowhere",
  });
  const hostPath = join(host.path, "m");
  assert.deepEqual(await mounted({ hostPath }), { "m/a.txt": "A", "m/sub/b.txt": "B" });
  assert.deepEqual(await mounted({ hostPath, followSymlinks: true }), {
    "m/a.txt": "A",
    "m/sub/b.txt": "B",
    "m/to-a": "A",
    "m/to-sub/b.txt": "B",
  });
});

test("7.12, 7.13: a file that is a link is refused, or must stay in its folder", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, { "secret.txt": "S", "m/a.txt": "A", "m/near": "→ a.txt", "m/far": "→ ../secret.txt" });
  const at = (name: string, followSymlinks = false) => ({ hostPath: join(host.path, "m", name), followSymlinks });
  await assert.rejects(mounted(at("near")), WorkspaceSecurityError);
  assert.deepEqual(await mounted(at("near", true)), { near: "A" });
  await assert.rejects(mounted(at("far", true)), WorkspaceSecurityError);
});

test("7.14: links that lead in circles come to an end", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, { "m/a.txt": "A", "m/loop": "→ .", "m/sub/up": "→ ..", "m/sub/b.txt": "B" });
  const found = await mounted({ hostPath: join(host.path, "m"), followSymlinks: true });
  assert.equal(found["m/a.txt"], "A");
  assert.equal(found["m/sub/b.txt"], "B");
});

test("7.14: a file that is swapped for a link between check and copy is not copied", async () => {
  await using host = await tempDir("host-");
  for (const followSymlinks of [false, true]) {
    await plant(host.path, { "secret.txt": "S", [`m${followSymlinks}/a.txt`]: "A", [`m${followSymlinks}/b.txt`]: "B" });
    const hostPath = join(host.path, `m${followSymlinks}`);
    const onFile = async (path: string) => {
      if (!path.endsWith("a.txt")) return;
      await rm(join(hostPath, "b.txt"));
      await symlink(join(host.path, "secret.txt"), join(hostPath, "b.txt"));
    };
    await assert.rejects(mounted({ hostPath, followSymlinks }, { onFile }), WorkspaceSecurityError);
  }
});

test("7.14: a folder that is swapped for a link between check and copy is not copied", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, { "elsewhere/b.txt": "S", "m/a.txt": "A", "m/sub/b.txt": "B" });
  const hostPath = join(host.path, "m");
  const onFile = async (path: string) => {
    if (path !== "m/a.txt") return;
    await rename(join(hostPath, "sub"), join(host.path, "moved"));
    await symlink(join(host.path, "elsewhere"), join(hostPath, "sub"));
  };
  await assert.rejects(mounted({ hostPath }, { onFile }), WorkspaceSecurityError);
});

test("7.14: a file that is swapped for a pipe does not hang the copying", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, { "m/a.txt": "A", "m/b.txt": "B" });
  const hostPath = join(host.path, "m");
  const onFile = async (path: string) => {
    if (path !== "m/a.txt") return;
    await rm(join(hostPath, "b.txt"));
    execFileSync("mkfifo", [join(hostPath, "b.txt")]);
  };
  await assert.rejects(mounted({ hostPath }, { onFile }), WorkspaceSecurityError);
});

test("7.11: pipes and devices in a folder are left out", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, { "m/a.txt": "A" });
  execFileSync("mkfifo", [join(host.path, "m", "pipe")]);
  assert.deepEqual(await mounted({ hostPath: join(host.path, "m") }), { "m/a.txt": "A" });
  await assert.rejects(mounted({ hostPath: "/dev/null" }), WorkspaceSecurityError);
});

test("11.19: the files that tools get do not reach out of the workspace", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, { "secret.txt": "S", "w/a.txt": "A", "w/out": "→ ..", "w/file": "→ ../secret.txt" });
  const filesystem = new HostFilesystem(join(host.path, "w"));
  assert.equal(await filesystem.readText("a.txt"), "A");
  assert.deepEqual(await filesystem.list(), ["a.txt", "file", "out"]);
  for (const path of ["../secret.txt", "out/secret.txt", "file", "/../secret.txt", "a\0"]) {
    await assert.rejects(filesystem.readText(path), WorkspaceSecurityError, path);
    await assert.rejects(filesystem.writeText(path, "!"), WorkspaceSecurityError, path);
  }
  await assert.rejects(filesystem.writeText("out/new.txt", "!"), WorkspaceSecurityError);
  await filesystem.writeText("new/b.txt", "B");
  assert.ok(await filesystem.exists("new/b.txt"));
  assert.ok(!(await filesystem.exists("new/c.txt")));
  assert.deepEqual(await harvest(host.path), { "secret.txt": "S", "w/a.txt": "A", "w/new/b.txt": "B" });
});
