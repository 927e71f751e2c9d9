import type { EffectiveConfig } from "../config/effective-config.ts";
import type { FileCache } from "./file-cache.ts";
/** Instructions for one kind of task, in a folder with a SKILL.md. */
export interface Skill {
    readonly name: string;
    readonly description: string;
    /** Its SKILL.md. */
    readonly path: string;
}
/** Where skills may be and for whom. */
export interface SkillRequest {
    readonly home: string;
    readonly cwd: string;
    readonly config?: Pick<EffectiveConfig, "raw"> | undefined;
}
/** The user's skills (`skills/` in the home folder) and the project's (`.agents/skills/` from its root down to cwd). */
export declare function findSkills(files: FileCache, { home, cwd, config }: SkillRequest): Skill[];
/** The list of skills for the model; `undefined` where there are none. */
export declare function skillsPrompt(skills: readonly Skill[]): string | undefined;
/** The content of a skill for the model. Throws an Error that names the file where it cannot be read. */
export declare function skillContent(files: FileCache, { name, path }: Pick<Skill, "name" | "path">): string;
/** The skills that a text names as `$name`. */
export declare function namedSkills(text: string, skills: readonly Skill[]): Skill[];
