/** Names of files and folders that decide over what is run outside of a sandbox: git's own, and the settings of agents. */
export const settingsNames: readonly string[] = [".git", ".codex", ".quire", ".agents"];

/** Characters that some file systems leave out when they compare names, as git knows them. */
const ignored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Whether a name is such a one on any file system: some tell no cases apart, leave out characters that cannot be seen, or
 * dots and spaces at the end, or take what follows a colon for a part of the file.
 */
export function isSettingsName(name: string): boolean {
  const plain = name
    .normalize("NFKC")
    .replace(ignored, "")
    .replace(/:.*$/s, "")
    .replace(/(?<![. ])[. ]+$/, "")
    .toLowerCase();
  return settingsNames.includes(plain) || plain === "git~1";
}
