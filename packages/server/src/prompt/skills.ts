import { dirname, join } from "node:path";
import type { EffectiveConfig } from "../config/effective-config.ts";
import type { FileCache } from "./file-cache.ts";
import { tagged } from "./message.ts";
import { projectChain, rootMarkers } from "./project-docs.ts";

/** Instructions for one kind of task, in a folder with a SKILL.md. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  /** Its SKILL.md. */
  readonly path: string;
}

/** A SKILL.md that is longer is cut when it is put before the model. */
const maxSkillBytes = 256 * 1024;
/** More would crowd out the conversation. */
const maxSkills = 200;

/** Where skills may be and for whom. */
export interface SkillRequest {
  readonly home: string;
  readonly cwd: string;
  readonly config?: Pick<EffectiveConfig, "raw"> | undefined;
}

/** The user's skills (`skills/` in the home folder) and the project's (`.agents/skills/` from its root down to cwd). */
export function findSkills(files: FileCache, { home, cwd, config }: SkillRequest): Skill[] {
  const folders = projectChain(cwd, rootMarkers(config?.raw ?? {})).map((folder) => join(folder, ".agents", "skills"));
  const skills = new Map<string, Skill>();
  for (const root of [join(home, "skills"), ...folders]) {
    for (const name of files.names(root)) {
      if (skills.size >= maxSkills) break;
      const skill = name.startsWith(".") ? undefined : readSkill(files, join(root, name, "SKILL.md"));
      if (skill) skills.set(skill.path, skill);
    }
  }
  return [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The list of skills for the model; `undefined` where there are none. */
export function skillsPrompt(skills: readonly Skill[]): string | undefined {
  if (skills.length === 0) return undefined;
  const rows = skills.map(({ name, description, path }) => `- ${name}: ${description} (${path})`);
  return tagged(
    "skills_instructions",
    `# Skills\nA skill is a file of instructions for one kind of task. When the user names one, as \`$name\` or in words, or the task fits its description, read its file completely before you begin and follow it for that turn; files that it refers to are relative to its folder. If it cannot be read, say so and go on without it.\n\n${rows.join("\n")}`,
  );
}

/** The content of a skill for the model. Throws an Error that names the file where it cannot be read. */
export function skillContent(files: FileCache, { name, path }: Pick<Skill, "name" | "path">): string {
  let bytes: Uint8Array | undefined;
  let reason = "there is no such file";
  try {
    bytes = files.bytes(path);
  } catch (error) {
    reason = (error as Error).message;
  }
  if (bytes === undefined) throw new Error(`The skill ${name} cannot be read from ${path}: ${reason}`);
  const body = new TextDecoder().decode(bytes.subarray(0, maxSkillBytes)).trimEnd();
  return tagged("skill", `<name>${name}</name>\n<path>${path}</path>\n${body}`);
}

/** The skills that a text names as `$name`. */
export function namedSkills(text: string, skills: readonly Skill[]): Skill[] {
  if (!text.includes("$")) return [];
  const names = new Set([...text.matchAll(/(?<![\w$])\$([\w][\w:-]*)/g)].map((match) => match[1]));
  return skills.filter(({ name }) => names.has(name));
}

function readSkill(files: FileCache, path: string): Skill | undefined {
  try {
    const bytes = files.bytes(path);
    if (bytes === undefined) return undefined;
    const head =
      /^---\r?\n([\s\S]*?)\r?\n---/.exec(new TextDecoder().decode(bytes.subarray(0, maxSkillBytes)))?.[1] ?? "";
    const field = (key: string) => new RegExp(`^${key}:\\s*["']?(.*?)["']?\\s*$`, "m").exec(head)?.[1];
    return { name: field("name") || folderName(path), description: field("description") ?? "", path };
  } catch {
    return undefined;
  }
}

function folderName(path: string): string {
  return dirname(path).split("/").pop() ?? path;
}
