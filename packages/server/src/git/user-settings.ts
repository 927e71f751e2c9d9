import { homedir } from "node:os";
import { join } from "node:path";
import { type GitSetting, parseGitConfig } from "./config-file.ts";
import { readGitFile } from "./read-git-file.ts";

interface UserSettings {
  readonly settings: readonly GitSetting[];
  /** The global ignore list. */
  readonly excludesFile: string;
}

/** The machine's and the user's own configuration, later ones over earlier. Includes are not followed. */
export function userSettings(env: Readonly<Record<string, string | undefined>> = process.env): UserSettings {
  const home = env.HOME ?? homedir();
  const folder = join(env.XDG_CONFIG_HOME || join(home, ".config"), "git");
  const files = ["/etc/gitconfig", join(folder, "config"), join(home, ".gitconfig")];
  const settings = files.flatMap((file) => parseGitConfig(readGitFile(file) ?? "") ?? []);
  const named = settings.findLast(({ section, key }) => section === "core" && key === "excludesfile")?.value;
  return { settings, excludesFile: named?.replace(/^~(?=\/)/, home) ?? join(folder, "ignore") };
}
