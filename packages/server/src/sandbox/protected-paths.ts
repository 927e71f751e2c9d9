import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isWithin } from "../is-within.ts";
import { outermost, realPath } from "./reach.ts";
import type { SandboxOptions } from "./sandbox-launcher.ts";

/** What in a folder decides over what is run outside of the sandbox: hooks, and the settings of agents. */
const settingsFolders = [".git", ".codex", ".quire", ".agents"];

/** What a shell or a tool of the user reads, and obeys, the next time it starts. */
const startUpFiles = [
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
  ".config/fish",
  ".config/git",
  ".config/systemd",
  ".config/autostart",
  ".config/environment.d",
  ".gitconfig",
  ".inputrc",
  ".npmrc",
  ".ssh",
  ".gnupg",
];

/** Files in the server's home that hold keys and tokens. */
const credentialFiles = ["auth.json", ".credentials.json"];

/** Longer than any path. */
const maxPathBytes = 16 << 10;

/**
 * What stays closed to a command although it lies in a folder that is open to it.
 *
 * @param roots All folders that are open, also those within another: each may be a repository.
 */
export function protectedPaths(
  roots: readonly string[],
  { home, env }: SandboxOptions,
): { readOnly: string[]; hidden: string[] } {
  const user = env.HOME;
  const candidates = [
    ...roots.flatMap((root) => settingsFolders.map((name) => join(root, name))),
    ...roots.flatMap((root) => gitFolder(join(root, ".git"))),
    ...(user ? startUpFiles.map((name) => join(user, name)) : []),
    home,
  ];
  const readOnly = candidates.flatMap(realPath).filter((path) => roots.some((root) => isWithin(path, root)));
  const hidden = credentialFiles.map((name) => join(home, name)).flatMap(realPath);
  return { readOnly: outermost(readOnly), hidden };
}

/** Where the repository of a worktree or submodule is: its `.git` is a file that says so. */
function gitFolder(path: string): string[] {
  const target = /^gitdir: (.+)$/m.exec(smallText(path) ?? "")?.[1];
  if (target === undefined) return [];
  const folder = resolve(dirname(path), target.trim());
  const common = commonFolder(folder);
  return common === undefined ? [folder] : [folder, common];
}

/** What a worktree shares with the others, hooks among it. */
function commonFolder(folder: string): string | undefined {
  const path = smallText(join(folder, "commondir"));
  return path === undefined ? undefined : resolve(folder, path.trim());
}

/** The text of a file that holds a path. A command may have put a pipe there, or what would fill the memory. */
function smallText(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(descriptor);
    return found.isFile() && found.size <= maxPathBytes ? readFileSync(descriptor, "utf8") : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
