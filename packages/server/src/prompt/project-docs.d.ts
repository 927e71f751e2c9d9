import type { EffectiveConfig } from "../config/effective-config.ts";
import type { FileCache } from "./file-cache.ts";
/** Project instructions and the files they come from. */
export interface ProjectDocs {
    /** Empty where there are none. */
    readonly text: string;
    readonly sources: readonly string[];
}
/** What the reading depends on. */
export interface ProjectDocsRequest {
    readonly cwd: string;
    readonly home: string;
    readonly config: Pick<EffectiveConfig, "projectDocMaxBytes" | "projectDocFallbacks" | "raw">;
}
/**
 * The user's instructions from the home folder, then the project's from its root down to cwd, the nearest last. In each
 * folder AGENTS.override.md stands for AGENTS.md, and the fallbacks for both. The project's are cut at the byte limit,
 * at a whole character.
 */
export declare function projectDocs(files: FileCache, { cwd, home, config }: ProjectDocsRequest): ProjectDocs;
/** The folders from the project's root down to cwd; cwd alone where no root is found. */
export declare function projectChain(cwd: string, markers: readonly string[]): string[];
/** What marks the root of a project, by its name in that folder. */
export declare function rootMarkers(raw: Readonly<Record<string, unknown>>): readonly string[];
