import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";

/** Shells whose `-c` and `-l` are understood. */
const known = ["bash", "zsh", "sh"];

let own: string | undefined;

/** The path of a shell: the one asked for by name or path, else the user's own. Falls back to `/bin/sh`. */
export function findShell(asked?: string): string {
  own ??= ownShell();
  if (asked === undefined) return own;
  const name = basename(asked);
  if (name === basename(own)) return own;
  return (known.includes(name) ? Bun.which(name) : null) ?? "/bin/sh";
}

/** The words that make a shell run a script. A login shell reads the user's profile first. */
export function shellCommand(shell: string, script: string, login: boolean): string[] {
  return [shell, login ? "-lc" : "-c", script];
}

function ownShell(): string {
  for (const shell of [shellOfAccount(), process.env.SHELL]) {
    if (shell && known.includes(basename(shell)) && existsSync(shell)) return shell;
  }
  return Bun.which("bash") ?? Bun.which("zsh") ?? "/bin/sh";
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
