/** Names of files and folders that decide over what is run outside of a sandbox: git's own, and the settings of agents. */
export const settingsNames: readonly string[] = [".git", ".codex", ".quire", ".agents"];

/** Characters that some file systems ignore when they compare names, according to git. */
const ignored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** True when a name is one of these on any file system: some ignore case, invisible characters, trailing dots. */
export function isSettingsName(name: string): boolean {
  const plain = name
    .normalize("NFKC")
    .replace(ignored, "")
    .replace(/:.*$/s, "")
    .replace(/(?<![. ])[. ]+$/, "")
    .toLowerCase();
  return settingsNames.includes(plain) || plain === "git~1";
}
