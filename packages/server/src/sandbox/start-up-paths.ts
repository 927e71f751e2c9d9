import { join } from "node:path";

/** What a shell or a tool of the user reads, and obeys, the next time it starts. */
const files = [
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".gitconfig",
  ".inputrc",
  ".npmrc",
];

const folders = [
  ".config/fish",
  ".config/git",
  ".config/systemd",
  ".config/autostart",
  ".config/environment.d",
  ".ssh",
  ".gnupg",
];

/** The paths of all in the user's home. */
export function startUpPaths(user: string): string[] {
  return [...files, ...folders].map((name) => join(user, name));
}

/**
 * What stands in for a start-up file that is not there: nothing, or what would be read if it were not. Bash reads the first
 * of three files that it finds. `undefined` for all that is a folder.
 */
export function standIn(name: string): string | undefined {
  if (name === ".bash_profile") return "[ ! -r ~/.bash_login ] || . ~/.bash_login\n";
  if (name === ".bash_login") return "[ ! -r ~/.profile ] || . ~/.profile\n";
  return files.includes(name) ? "" : undefined;
}
