import { folderForge } from "./folder-forge.ts";
import type { ForgeAdapter } from "./forge.ts";
import { githubForge } from "./github-forge.ts";
import { gitlabForge } from "./gitlab-forge.ts";

/** The forges that come with the orchestrator, by `deliver.to`. */
export const forges: ReadonlyMap<string, ForgeAdapter> = new Map([
  ["folder", folderForge],
  ["github", githubForge],
  ["gitlab", gitlabForge],
]);
