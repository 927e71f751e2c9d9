import { readFileSync, statSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { isExecutable } from "./find-program.ts";

/** Shells whose `-c` and `-l` are known. */
const known = ["bash", "zsh", "sh"];

/** Folders of shells. Not PATH: it may name folders of the work, where a command can have put one. */
const folders = ["/usr/local/bin", "/usr/bin", "/bin", "/run/current-system/sw/bin", "/opt/homebrew/bin"];

let own: string | undefined;

/** The path of a shell: the one asked for by name or path, else the user's own. Falls back to `/bin/sh`. */
export function findShell(asked?: string): string {
  own ??= ownShell();
  if (asked === undefined) return own;
  const name = basename(asked);
  if (name === basename(own)) return own;
  return (known.includes(name) ? systemShell(name) : undefined) ?? "/bin/sh";
}

/** The argv with which a shell runs a script. A login shell reads the user's profile first. */
export function shellCommand(shell: string, script: string, login: boolean): string[] {
  return [shell, login ? "-lc" : "-c", script];
}

function systemShell(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isShell);
}

function ownShell(): string {
  for (const shell of [shellOfAccount(), process.env.SHELL]) {
    if (shell && known.includes(basename(shell)) && isAbsolute(shell) && isShell(shell)) return shell;
  }
  return systemShell("bash") ?? systemShell("zsh") ?? "/bin/sh";
}

/** True when a file can be run and not everybody can change it. */
function isShell(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && (stat.mode & 0o022) === 0 && isExecutable(path);
}

/** The account's login shell. Bun's `userInfo` only repeats `$SHELL`, which a service does not have. */
function shellOfAccount(): string | undefined {
  const uid = `${process.getuid?.()}`;
  try {
    const accounts = readFileSync("/etc/passwd", "utf8").split("\n");
    return accounts.map((line) => line.split(":")).find((fields) => fields[2] === uid)?.[6];
  } catch {
    return undefined;
  }
}
