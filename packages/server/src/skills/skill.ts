import { dirname, join } from "node:path";
import type { FileCache } from "../workspace-files/file-cache.ts";
import type { Root } from "../workspace-files/root.ts";
import { readSkillExtras, type SkillExtras } from "./skill-extras.ts";
import { parseSkillHead, type SkillHead } from "./skill-head.ts";

/** Instructions for one kind of task, in a folder with a SKILL.md. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly shortDescription: string | null;
  readonly path: string;
  /** The folder its files must lie in. */
  readonly root: Root;
  readonly scope: "user" | "repo";
  /** False when `[[skills.config]]` disables it: then users see it, and the model does not. */
  readonly enabled: boolean;
  readonly pluginId?: string | undefined;
  readonly extras: SkillExtras;
}

/** A SKILL.md that cannot be used, and why. */
export interface SkillError {
  readonly path: string;
  readonly message: string;
}

/** A SKILL.md that is longer is cut when it is put before the model. */
export const maxSkillBytes: number = 256 * 1024;
/** A folder with a folder for each skill. */
export interface SkillFolder {
  readonly folder: string;
  /** The folder that all files must lie in. */
  readonly root: Root;
  readonly scope: Skill["scope"];
  /** Prefix of the names. */
  readonly prefix?: string | undefined;
  readonly pluginId?: string | undefined;
}

/** The skills of one folder. */
export function scanRoot(
  files: FileCache,
  { folder, root, scope, prefix, pluginId }: SkillFolder,
  raw: Readonly<Record<string, unknown>>,
): { skills: Skill[]; errors: SkillError[] } {
  const skills: Skill[] = [];
  const errors: SkillError[] = [];
  for (const entry of files.names(folder, root)) {
    const path = join(folder, entry, "SKILL.md");
    const read = entry.startsWith(".") ? undefined : readSkill(files, path, root);
    if (typeof read === "string") errors.push({ path, message: read });
    else if (read) {
      const name = prefix === undefined ? read.name : `${prefix}:${read.name}`;
      const extras = readSkillExtras(files, dirname(path), root);
      skills.push({ ...read, name, path, root, scope, enabled: isEnabled(raw, name, path), pluginId, extras });
    }
  }
  return { skills, errors };
}

/** The last entry of `[[skills.config]]` that names a skill, by path or name, wins. */
function isEnabled(raw: Readonly<Record<string, unknown>>, name: string, path: string): boolean {
  const entries = (raw.skills as { config?: unknown } | undefined)?.config;
  if (!Array.isArray(entries)) return true;
  const own = (entries as { path?: unknown; name?: unknown; enabled?: unknown }[]).findLast(
    (entry) => entry?.path === path || (entry?.path === undefined && entry?.name === name),
  );
  return own?.enabled !== false;
}

/** A pure cache: a {@link FileCache} returns the same bytes while a file is unchanged. */
const heads = new WeakMap<Uint8Array, SkillHead | string>();

/** The front matter of a SKILL.md, or its problem; `undefined` when there is none. */
function readSkill(
  files: FileCache,
  path: string,
  root: Root,
): (SkillHead & { readonly name: string }) | string | undefined {
  try {
    const bytes = files.bytes(path, root);
    if (bytes === undefined) return undefined;
    const head = heads.get(bytes) ?? parseSkillHead(new TextDecoder().decode(bytes.subarray(0, maxSkillBytes)));
    heads.set(bytes, head);
    return typeof head === "string" ? head : { ...head, name: head.name ?? folderName(path) };
  } catch (error) {
    return (error as Error).message;
  }
}

function folderName(path: string): string {
  return dirname(path).split("/").pop() ?? path;
}
