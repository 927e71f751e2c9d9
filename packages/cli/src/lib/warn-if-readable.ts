import { statSync } from "node:fs";

/** Tells on stderr when a file with a secret can be read by every user of this machine. */
export function warnIfReadable(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || (stat.mode & 0o004) === 0 || process.platform === "win32") return;
  process.stderr.write(`warning: other users can read the secret in ${path}. Run: chmod 600 ${path}\n`);
}
