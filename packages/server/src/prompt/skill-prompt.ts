import { join } from "node:path";
import type { EffectiveConfig } from "../config/effective-config.ts";
import { isWithin } from "../lib/is-within.ts";
import { enabledPlugins } from "../plugins/installed.ts";
import { maxSkillBytes, type Skill, type SkillError, type SkillFolder, scanRoot } from "../skills/skill.ts";
import type { FileCache } from "../workspace-files/file-cache.ts";
import type { Root } from "../workspace-files/root.ts";
import { tagged } from "./message.ts";
import { projectChain, rootMarkers } from "./project-docs.ts";

/** More would crowd out the history. */
const maxSkills = 200;

/** The folders of skills, and whose they are. */
export interface SkillRequest {
  readonly home: string;
  /** The user's home, where `.agents/skills/` are for every agent. */
  readonly userHome?: string | undefined;
  /** Further folders of skills, named by a client. */
  readonly extraRoots?: readonly string[] | undefined;
  readonly cwd: string;
  readonly config?: Pick<EffectiveConfig, "raw"> | undefined;
}

/**
 * The skills of the user (`skills/` in the server's home, `.agents/skills/` in the user's) and of the project
 * (`.agents/skills/` from its root to cwd), with invalid files.
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

/** The user's skills may be links to elsewhere. */
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

interface KnownSkills {
  readonly request: SkillRequest;
  readonly skills: readonly Skill[];
}

/**
 * The root for a skill that a client, or a model for its agent, names by path. For an unknown skill, the project if it
 * lies there, since others write there too; else anywhere but in the server's home.
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

/** The content of a skill for the model, or a text that says why it is missing: the turn continues without it. */
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
