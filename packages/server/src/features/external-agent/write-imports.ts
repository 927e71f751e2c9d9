import { cpSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { OpenConfig } from "../../config/open-config.ts";
import { writeProjectConfig } from "../../config/trust/write-project-config.ts";
import { writeConfig } from "../../config/write-config.ts";
import { leaves, type Table } from "../../lib/table.ts";
import { PinnedFolders } from "../../workspace-files/pinned-folders.ts";
import { realPathOf } from "../../workspace-files/real-path.ts";
import { placeFile, stageFile } from "../../workspace-files/write-file.ts";
import type { AgentPaths } from "./agent-paths.ts";

/** Writes a file. In a project no link is followed: a repository can carry one that leads to a file of the user's. */
export function writeImport({ cwd, root }: AgentPaths, path: string, text: string): void {
  if (cwd === null) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  using folders = new PinnedFolders();
  const target = inProject(root, path);
  folders.make(dirname(target), []);
  placeFile(stageFile(target, { bytes: text, mode: null }, folders), target, folders);
}

/** Copies a folder of the other agent's that ours does not have. */
export function copyFolder({ cwd, root }: AgentPaths, from: string, to: string): void {
  if (cwd === null) {
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to, { recursive: true });
    return;
  }
  using folders = new PinnedFolders();
  const target = inProject(root, to);
  const place = join(folders.make(dirname(target), []), relative(dirname(target), target));
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(`${target} is a link, which is not followed for writing. Replace it by the folder itself.`);
  // A project's links may lead out of it.
  cpSync(from, place, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
}

/** Adds settings to a config. In a trusted project they are trusted: the user has just asked for them. */
export function writeSettings(config: OpenConfig, { cwd, config: folder }: AgentPaths, values: Table): void {
  const edits = [...leaves(values)].map(([keyPath, value]) => ({ keyPath, value, merge: false }));
  if (edits.length === 0) return;
  if (cwd === null) writeConfig(folder, { edits });
  else writeProjectConfig(config, folder, edits);
}

/** A path in a project, without the links to the project itself. */
function inProject(root: string, path: string): string {
  return join(realPathOf(root), relative(root, path));
}
