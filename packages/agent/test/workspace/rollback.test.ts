import assert from "node:assert/strict";
import { rm, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createWorkspace } from "@quire/agent";
import { HostFilesystem } from "@quire/agent/runtime";
import { random, tempDir } from "@quire/testkit";
import { harvest, plant } from "./files.ts";

test("5.3: taking changes back restores every file, ignored ones too, and removes what is new", async () => {
  await using host = await tempDir("host-");
  const files = { ".gitignore": "node_modules\n.env\n", ".env": "KEY=1", "node_modules/m/i.js": "m", "src/a.ts": "a" };
  await plant(host.path, files);
  await using workspace = await createWorkspace({ mounts: [{ hostPath: host.path, mountPath: "." }] });
  const { dir, filesystem } = workspace;
  const before = await harvest(dir);
  const snapshot = await filesystem.snapshot?.();
  await rm(join(dir, "node_modules"), { recursive: true });
  await writeFile(join(dir, ".env"), "KEY=2");
  await plant(dir, { "new/file.txt": "new" });
  await rm(join(dir, "src"), { recursive: true });
  await symlink("/etc", join(dir, "src"));
  await filesystem.restore?.(snapshot);
  assert.deepEqual(await harvest(dir), before);
  assert.deepEqual(before, files);
});

test("5.3: any changes are taken back, however soon they come", async () => {
  const chosen = random();
  await using workspace = await createWorkspace();
  const { dir, filesystem } = workspace;
  const names = ["a", "b", "d/a", "d/e/a", "f"];
  for (let round = 0; round < 10; round++) {
    for (const name of names) if (chosen.chance(0.7)) await plant(dir, { [name]: String(chosen.int(0, 9)) });
    const before = await harvest(dir);
    const snapshot = await filesystem.snapshot?.();
    for (const name of names) {
      if (chosen.chance()) await plant(dir, { [name]: String(chosen.int(0, 9)) });
      else await unlink(join(dir, name)).catch(() => undefined);
    }
    await filesystem.restore?.(snapshot);
    assert.deepEqual(await harvest(dir), before, `QUIRE_SEED=${chosen.seed}, round ${round}`);
  }
});

test("5.3: old snapshots are forgotten, and say so", async () => {
  await using workspace = await createWorkspace();
  const { filesystem } = workspace;
  const first = await filesystem.snapshot?.();
  for (let count = 0; count < 8; count++) await filesystem.snapshot?.();
  await assert.rejects(async () => filesystem.restore?.(first), /not known any more/);
});

test("5.4: a folder that is the user's own is never taken back", async () => {
  await using host = await tempDir("host-");
  const filesystem = new HostFilesystem(host.path);
  assert.ok(!("snapshot" in filesystem) && !("restore" in filesystem));
});
