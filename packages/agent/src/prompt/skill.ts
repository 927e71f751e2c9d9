import { readFile, stat } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import { AgentError } from "../lib/agent-error.ts";

/** Knowledge that the agent reads when it needs it: a folder with a `SKILL.md`, or that one file. */
export interface Skill {
  /** Lower-case letters, digits and hyphens, at most 64; the name of the folder. */
  readonly name: string;
  /** The folder or file on this machine. */
  readonly source: string;
}

/** A skill cannot be used. */
export class SkillError extends AgentError {
  override readonly name: string = "SkillError";
}

const nameRule = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const mostNameCharacters = 64;
const mostDescriptionCharacters = 1024;

/** Makes a skill of a folder or file; its name is the last part of the path, unless given. */
export function skill(source: string, options: { readonly name?: string | undefined } = {}): Skill {
  const path = resolve(source);
  const name = options.name ?? basename(path, extname(path) === ".md" ? ".md" : "");
  if (!nameRule.test(name) || name.length > mostNameCharacters)
    throw new SkillError(`"${name}" is no name for a skill: use up to 64 lower-case letters, digits and hyphens`);
  return Object.freeze({ name, source: path });
}

/** Checks what a skill says of itself. Gives whether it is a folder. */
export async function checkSkill({ name, source }: Skill, options: { readonly validate: boolean }): Promise<boolean> {
  const found = await stat(source).catch((cause: unknown) => {
    throw new SkillError(`There is no skill at ${source}`, { cause });
  });
  const file = found.isDirectory() ? join(source, "SKILL.md") : source;
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new SkillError(`The skill ${name} has no SKILL.md in ${source}`, { cause });
  });
  if (options.validate) checkFrontMatter(name, text);
  return found.isDirectory();
}

function checkFrontMatter(name: string, text: string): void {
  const head = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text)?.[1];
  if (head === undefined) throw new SkillError(`The skill ${name} does not begin with front matter (--- … ---)`);
  const said = fieldOf(head, "name");
  if (said !== name) throw new SkillError(`The skill ${name} calls itself ${said ?? "nothing"}: both must be the same`);
  const length = fieldOf(head, "description")?.length ?? 0;
  if (length < 1 || length > mostDescriptionCharacters)
    throw new SkillError(`The skill ${name} needs a description of 1 to ${mostDescriptionCharacters} characters`);
}

/** Reads a field of simple YAML: on its line, quoted or not, or folded over the indented lines below. */
function fieldOf(head: string, field: string): string | undefined {
  const match = new RegExp(`^${field}:[ \\t]*(.*(?:\\r?\\n[ \\t]+.*)*)`, "m").exec(head)?.[1];
  const value = match
    ?.replace(/^[>|][+-]?\s*/, "")
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
    .join(" ");
  return value?.replace(/^(["'])(.*)\1$/s, "$2");
}
