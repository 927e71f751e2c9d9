import { lstatSync } from "node:fs";
import { join } from "node:path";
import { realPath } from "./existing-path.ts";

/** Files that the user's shells and tools obey when they next start. */
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
  // Often a link to a folder of all settings. A broken link contains nothing.
  const within = lstatSync(config, { throwIfNoEntry: false }) ? realPath(config) : [config];
  return [
    ...[...files, ...folders].map((name) => join(user, name)),
    ...(within ?? []).flatMap((folder) => configFolders.map((name) => join(folder, name))),
  ];
}

/** The substitute for a missing start-up file: nothing, or the file read in its absence. `undefined` for folders. */
export function standIn(name: string): string | undefined {
  if (name === ".bash_profile") return "[ ! -r ~/.bash_login ] || . ~/.bash_login\n";
  if (name === ".bash_login") return "[ ! -r ~/.profile ] || . ~/.profile\n";
  return files.includes(name) ? "" : undefined;
}
