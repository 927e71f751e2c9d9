import type { Commands } from "../commands.ts";
import { isTrustedGit } from "./trusted-git.ts";
import { checks, harmless } from "./trusted-programs.ts";

/** Folders of the system's programs. The same name elsewhere may be anything. */
const systemFolders = ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"];

/**
 * True when a script only reads: plain commands, each known to be harmless with these words, joined by pipes, `&&`,
 * `||`, `;` or line breaks. Variables, patterns, redirections, substitutions, assignments and background jobs are not.
 * A false negative costs a question; a false positive costs more.
 */
export function isTrustedScript({ exact, plain }: Commands): boolean {
  return plain && exact.length > 0 && exact.every(isTrustedCommand);
}

function isTrustedCommand([program, ...args]: readonly string[]): boolean {
  const name = programName(program ?? "");
  if (name === undefined) return false;
  if (name === "git") return isTrustedGit(args);
  if (harmless.has(name)) return true;
  return checks.get(name)?.(args) === true;
}

function programName(program: string): string | undefined {
  const slash = program.lastIndexOf("/");
  if (slash < 0) return program;
  return systemFolders.includes(program.slice(0, slash + 1)) ? program.slice(slash + 1) : undefined;
}
