import { closeSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { folderPath, openFolder } from "./open-file.ts";
import type { Access } from "./root.ts";

/** Maximum files below one folder, and maximum depth. */
const maxFiles = 10_000;
const maxDepth = 16;

/** The names in a folder; none where there is no such folder, or it must not or cannot be read. */
export function listFolder(path: string, access: Access): string[] {
  return inFolder(path, access, (at) => readdirSync(at)) ?? [];
}

/** The paths of all files below a folder, sorted. Links are left out. */
export function listFiles(path: string, access: Access): string[] {
  const files: string[] = [];
  collect(path, access, { files, depth: 0 });
  return files.sort();
}

function collect(path: string, access: Access, { files, depth }: { files: string[]; depth: number }): void {
  const entries = inFolder(path, access, (at) => readdirSync(at, { withFileTypes: true })) ?? [];
  for (const entry of entries) {
    const below = join(path, entry.name);
    if (entry.isFile() && files.length < maxFiles) files.push(below);
    else if (entry.isDirectory() && depth < maxDepth) collect(below, access, { files, depth: depth + 1 });
  }
}

function inFolder<Result>(path: string, access: Access, work: (at: string) => Result): Result | undefined {
  try {
    const folder = openFolder(path, access);
    if (folder === undefined) return undefined;
    try {
      return work(folderPath(folder));
    } finally {
      closeSync(folder.descriptor);
    }
  } catch {
    return undefined;
  }
}
