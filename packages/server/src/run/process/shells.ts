import { readFileSync, statSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { isExecutable } from "./find-program.ts";

/** Shells whose `-c` and `-l` are understood. */
const known = ["bash", "zsh", "sh"];

/**
 * Where shells are looked for. Not on PATH: that may name folders of the work, where a command can have put one, and
 * whatever runs in a shell runs with what the shell is given.
 */
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

/** The words that make a shell run a script. A login shell reads the user's profile first. */
export function shellCommand(shell: string, script: string, login: boolean): string[] {
  return [shell, login ? "-lc" : "-c", script];
}

/** A shell of the system; `undefined` where there is none of that name. */
function systemShell(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isShell);
}

function ownShell(): string {
  for (const shell of [shellOfAccount(), process.env.SHELL]) {
    if (shell && known.includes(basename(shell)) && isAbsolute(shell) && isShell(shell)) return shell;
  }
  return systemShell("bash") ?? systemShell("zsh") ?? "/bin/sh";
}

/** Whether a file can be run and is not everybody's to change. */
function isShell(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && (stat.mode & 0o022) === 0 && isExecutable(path);
}

/** The login shell of the user's account. Bun's own `userInfo` only repeats `$SHELL`, which a service does not have. */
function shellOfAccount(): string | undefined {
  const uid = `${process.getuid?.()}`;
  try {
    const accounts = readFileSync("/etc/passwd", "utf8").split("\n");
    return accounts.map((line) => line.split(":")).find((fields) => fields[2] === uid)?.[6];
  } catch {
    return undefined;
  }
}
