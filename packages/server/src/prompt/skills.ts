import { dirname, join } from "node:path";
import type { EffectiveConfig } from "../config/effective-config.ts";
import { isWithin } from "../is-within.ts";
import { enabledPlugins } from "../plugins/installed.ts";
import type { FileCache } from "../workspace-files/file-cache.ts";
import type { Root } from "../workspace-files/root.ts";
import { tagged } from "./message.ts";
import { projectChain, rootMarkers } from "./project-docs.ts";
import { readSkillExtras, type SkillExtras } from "./skill-extras.ts";
import { parseSkillHead, type SkillHead } from "./skill-head.ts";

/** Instructions for one kind of task, in a folder with a SKILL.md. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly shortDescription: string | null;
  /** Its SKILL.md. */
  readonly path: string;
  /** What its files must lie in. */
  readonly root: Root;
  readonly scope: "user" | "repo";
  /** Switched off by `[[skills.config]]`, it is listed to users and kept from the model. */
  readonly enabled: boolean;
  /** The plugin that brings it. */
  readonly pluginId?: string | undefined;
  readonly extras: SkillExtras;
}

/** A SKILL.md that cannot be used, and why. */
export interface SkillError {
  readonly path: string;
  readonly message: string;
}

/** A SKILL.md that is longer is cut when it is put before the model. */
const maxSkillBytes = 256 * 1024;
/** More would crowd out the conversation. */
const maxSkills = 200;

/** Where skills may be and for whom. */
export interface SkillRequest {
  readonly home: string;
  /** The user's own home, where `.agents/skills/` are for every agent. */
  readonly userHome?: string | undefined;
  /** Folders of skills that a client has named, beside those that are looked at anyway. */
  readonly extraRoots?: readonly string[] | undefined;
  readonly cwd: string;
  readonly config?: Pick<EffectiveConfig, "raw"> | undefined;
}

/**
 * The user's skills (`skills/` in the home folder, `.agents/skills/` in the user's own) and the project's (`.agents/skills/` from its root down to cwd), and
 * the files that were meant to be some.
 */
export function scanSkills(files: FileCache, request: SkillRequest): { skills: Skill[]; errors: SkillError[] } {
  const { home, cwd, config } = request;
  const chain = projectChain(files, cwd, rootMarkers(config?.raw ?? {}));
  const project = { path: chain[0] ?? cwd };
  const own = [join(home, "skills"), ...(request.userHome ? [join(request.userHome, ".agents", "skills")] : [])];
  const roots = [
    ...own.map(userFolder),
    ...chain.map((at) => ({ folder: join(at, ".agents", "skills"), root: project, scope: "repo" as const })),
    ...(request.extraRoots ?? []).map(userFolder),
    ...pluginFolders(home, config?.raw ?? {}),
  ];
  const skills = new Map<string, Skill>();
  const errors: SkillError[] = [];
  for (const root of roots) {
    const found = scanRoot(files, root, config?.raw ?? {});
    errors.push(...found.errors);
    for (const skill of found.skills) if (skills.size < maxSkills) skills.set(skill.path, skill);
  }
  return {
    skills: [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    errors: errors.sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/** A folder with a folder for each skill. */
export interface SkillFolder {
  readonly folder: string;
  /** What all files of the skills must lie in. */
  readonly root: Root;
  readonly scope: Skill["scope"];
  /** Put before the names. */
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

/** Skills of the user, who may keep them elsewhere and link to them. */
function userFolder(folder: string): SkillFolder {
  return { folder, root: { path: folder, trusted: true }, scope: "user" };
}

function pluginFolders(home: string, raw: Readonly<Record<string, unknown>>): SkillFolder[] {
  return enabledPlugins(home, raw).flatMap(({ id, name, root: path, manifest }) =>
    manifest.skillRoots.map((folder) => ({
      folder,
      root: { path },
      scope: "user" as const,
      prefix: name,
      pluginId: id,
    })),
  );
}

/** Among what a skill is looked for that was named by its path. */
interface KnownSkills {
  readonly request: SkillRequest;
  readonly skills: readonly Skill[];
}

/**
 * What the file of a skill must lie in that a client, or a model for its agent, names by its path. Of one that is not known,
 * the project where it is there, for others write there too; else anywhere but in the server's home.
 */
export function rootOfSkill(files: FileCache, path: string, { request, skills }: KnownSkills): Root {
  const known = skills.find((skill) => skill.path === path);
  if (known) return known.root;
  const { cwd, config } = request;
  const project = projectChain(files, cwd, rootMarkers(config?.raw ?? {}))[0] ?? cwd;
  return isWithin(path, project) ? { path: project } : { path: "/", trusted: true };
}

/** The skills that are switched on. */
export function findSkills(files: FileCache, request: SkillRequest): Skill[] {
  return scanSkills(files, request).skills.filter(({ enabled }) => enabled);
}

/** The last entry of `[[skills.config]]` that names a skill, by path or by name, decides. */
function isEnabled(raw: Readonly<Record<string, unknown>>, name: string, path: string): boolean {
  const entries = (raw.skills as { config?: unknown } | undefined)?.config;
  if (!Array.isArray(entries)) return true;
  const own = (entries as { path?: unknown; name?: unknown; enabled?: unknown }[]).findLast(
    (entry) => entry?.path === path || (entry?.path === undefined && entry?.name === name),
  );
  return own?.enabled !== false;
}

/** The list of skills that the model may choose; `undefined` where there are none. */
export function skillsPrompt(all: readonly Skill[]): string | undefined {
  const skills = all.filter(({ extras }) => extras.isImplicit);
  if (skills.length === 0) return undefined;
  const rows = skills.map(({ name, description, path }) => `- ${name}: ${description} (${path})`);
  return tagged(
    "skills_instructions",
    `# Skills\nA skill is a file of instructions for one kind of task. When the user names one, as \`$name\` or in words, or the task fits its description, read its file completely before you begin and follow it for that turn; files that it refers to are relative to its folder. If it cannot be read, say so and go on without it.\n\n${rows.join("\n")}`,
  );
}

/** The content of a skill for the model, or words about why it is not there: a turn goes on without it. */
export function skillContent(files: FileCache, { name, path, root }: Pick<Skill, "name" | "path" | "root">): string {
  let bytes: Uint8Array | undefined;
  let reason = "there is no such file";
  try {
    bytes = files.bytes(path, root);
  } catch (error) {
    reason = (error as Error).message;
  }
  if (bytes === undefined) return `The skill ${name} could not be read from ${path}: ${reason}`;
  const body = new TextDecoder().decode(bytes.subarray(0, maxSkillBytes)).trimEnd();
  return tagged("skill", `<name>${name}</name>\n<path>${path}</path>\n${body}`);
}

/** The skills that a text names as `$name`. */
export function namedSkills(text: string, skills: readonly Skill[]): Skill[] {
  if (!text.includes("$")) return [];
  const names = new Set([...text.matchAll(/(?<![\w$])\$([\w][\w:-]*)/g)].map((match) => match[1]));
  return skills.filter(({ name }) => names.has(name));
}

/** The same bytes say the same, and a {@link FileCache} gives the same ones while a file is unchanged. */
const heads = new WeakMap<Uint8Array, SkillHead | string>();

/** What a SKILL.md says of itself, or what is wrong with it; `undefined` where there is none. */
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
