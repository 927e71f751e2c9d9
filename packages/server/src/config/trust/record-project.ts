import { join, relative } from "node:path";
import type { Table } from "../../lib/table.ts";
import { type ConfigFiles, maxBytes, maxProjectBytes, readConfigText } from "../config-files.ts";
import { resolved } from "../project.ts";
import { isDeep } from "../toml/toml.ts";
import { findConfigFolders, type WalkBudget } from "./find-config-folders.ts";
import { type ConfigPrint, configPrint, textsIn } from "./fingerprint.ts";
import { namedFiles } from "./named-files.ts";
import { readScript } from "./script-file.ts";
import type { TrustRecord } from "./trust-records.ts";
import { textWords } from "./words.ts";

/** Folders that are looked into for one project; what lies deeper is asked about when it is used. */
export const maxFolders = 10_000;

/** Input for a record. */
export interface Recording {
  readonly home: string;
  readonly files: ConfigFiles;
  /** The entry of `[projects]`. */
  readonly project: string;
  readonly budget: WalkBudget;
  /** A folder of the project to visit at any depth. */
  readonly cwd?: string | undefined;
}

/** Looks at a project's executing configuration as it is now. A project that is not there has none: what comes is new. */
export function recordProject({ home, files, project, budget, cwd }: Recording): TrustRecord {
  const root = resolved(project);
  const chain = cwd === undefined ? [] : foldersBetween(root, resolved(cwd));
  const { codex, packages } = findConfigFolders(root, budget);
  const folders = [...new Set([...codex, ...chain])];
  const configs: Record<string, ConfigPrint> = {};
  const words = new Set<string>(wordsOf(home, files, maxBytes));
  for (const folder of folders) {
    const dotCodex = join(folder, ".codex");
    if (resolved(dotCodex) === resolved(home)) continue;
    const print = configPrint(valuesOf(files, dotCodex));
    if (print) configs[relative(root, dotCodex)] = print;
    for (const word of wordsOf(dotCodex, files)) words.add(word);
  }
  const bases = [root, ...folders, ...folders.map((folder) => join(folder, ".codex")), ...packages];
  const scripts: Record<string, string> = {};
  for (const [path, hash] of namedFiles(words, { root, bases: [...new Set(bases)] }))
    if (hash !== undefined) scripts[path] = hash;
  return { project, root, recordedAt: new Date().toISOString(), configs, scripts };
}

/** A new record with the unchanged scripts of an earlier one, which may be of another package. */
export function keepingScripts(made: TrustRecord, before: TrustRecord | undefined): TrustRecord {
  if (before?.root !== made.root) return made;
  const kept = Object.entries(before.scripts).filter(
    ([path, hash]) => made.scripts[path] === undefined && readScript(resolved(join(made.root, path)))?.hash === hash,
  );
  return { ...made, scripts: { ...Object.fromEntries(kept), ...made.scripts } };
}

/** The folders of a project that may have a `.codex`: those found from its root down, and those above the given one. */
export function configFolders(project: string, cwd: string): string[] {
  const root = resolved(project);
  const { codex } = findConfigFolders(root, { left: maxFolders });
  return [...new Set([...codex, ...foldersBetween(root, resolved(cwd))])];
}

/** From the root down to a folder within it; none for one outside. */
function foldersBetween(root: string, folder: string): string[] {
  const path = relative(root, folder);
  if (path === "") return [root];
  if (path.startsWith("..")) return [];
  const parts = path.split("/");
  return [root, ...parts.map((_, index) => join(root, ...parts.slice(0, index + 1)))];
}

/** The settings in a project folder; empty when they cannot be read. */
export function valuesOf(files: ConfigFiles, folder: string, max: number = maxProjectBytes): Table {
  try {
    return files.read(join(folder, "config.toml"), max)?.values ?? {};
  } catch {
    // An unreadable config is ignored; once readable, it is new.
    return {};
  }
}

/** The words of all texts in a folder's configuration: any of them may name a program or script. */
function wordsOf(folder: string, files: ConfigFiles, max?: number): Set<string> {
  const words = new Set<string>();
  for (const text of [...textsIn(valuesOf(files, folder, max)), ...textsIn(hooksOf(folder, max))]) {
    for (const word of textWords(text)) words.add(word);
  }
  return words;
}

function hooksOf(folder: string, max: number = maxProjectBytes): unknown {
  try {
    const hooks: unknown = JSON.parse(readConfigText(join(folder, "hooks.json"), max) ?? "null");
    return isDeep(hooks) ? null : hooks;
  } catch {
    return null;
  }
}
