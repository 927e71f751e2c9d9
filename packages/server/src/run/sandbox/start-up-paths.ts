import { lstatSync } from "node:fs";
import { join } from "node:path";
import { realPath } from "./existing-path.ts";

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

const folders = [".ssh", ".gnupg"];

const configFolders = ["fish", "git", "systemd", "autostart", "environment.d"];

/** The paths of all in the user's home, which is without links. Only the last name of each may be one. */
export function startUpPaths(user: string): string[] {
  const config = join(user, ".config");
  // Often a link to where somebody keeps all settings. One to nowhere has nothing in it.
  const within = lstatSync(config, { throwIfNoEntry: false }) ? realPath(config) : [config];
  return [
    ...[...files, ...folders].map((name) => join(user, name)),
    ...(within ?? []).flatMap((folder) => configFolders.map((name) => join(folder, name))),
  ];
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
