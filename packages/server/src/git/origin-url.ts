import { join } from "node:path";
import { type GitSetting, parseGitConfig } from "./config-file.ts";
import type { Repository } from "./find-repository.ts";
import { readGitFile } from "./read-git-file.ts";
import { userSettings } from "./user-settings.ts";

/** The address of `origin` as `git remote get-url` shows it, with the user's shorthands expanded. */
export function originUrl({ commonDir }: Repository): string | null {
  const own = parseGitConfig(readGitFile(join(commonDir, "config")) ?? "") ?? [];
  const all = [...userSettings().settings, ...own];
  const url = all.find((each) => isKey(each, "remote", "url") && each.subsection === "origin")?.value;
  return url === undefined || url === "" ? null : writtenOut(url, all);
}

function writtenOut(url: string, settings: readonly GitSetting[]): string {
  const fitting = settings.filter((each) => isKey(each, "url", "insteadof") && url.startsWith(each.value));
  const [longest] = fitting.sort((a, b) => b.value.length - a.value.length);
  return longest?.subsection === undefined ? url : longest.subsection + url.slice(longest.value.length);
}

function isKey(setting: GitSetting, section: string, key: string): boolean {
  return setting.section === section && setting.key === key;
}
