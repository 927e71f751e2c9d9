import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";

// A temporary folder for these tests alone, so that what others do meanwhile does not show in it.
const base = mkdtempSync(join(tmpdir(), "quire-test-"));
process.env.TMPDIR = base;
process.once("exit", () => rmSync(base, { recursive: true, force: true }));

/** Writes files below a folder: texts by path, `→ target` for a link. */
export async function plant(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const full = join(root, path);
    await mkdir(dirname(full), { recursive: true });
    if (text.startsWith("→ ")) await symlink(text.slice(2), full);
    else await writeFile(full, text);
  }
}

/** All files below a folder with their texts. Links are left out. */
export async function harvest(root: string, below = ""): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const entries = await readdir(join(root, below), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(below, entry.name);
    if (entry.isFile()) found[path] = await readFile(join(root, path), "utf8");
    if (entry.isDirectory()) Object.assign(found, await harvest(root, path));
  }
  return found;
}

/** The folders of workspaces that there are now. */
export async function workspaceFolders(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith("quire-workspace-")).sort();
}
