import { lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** The bundle of a package, which the launcher looks for by the path of the package with `%` for `/`. */
export function bundleFolder(home: string, cli: string): string {
  return join(bundlesFolder(home), cli.replaceAll("/", "%"));
}

/** The folder of all bundles. No confined command can write below `~/.quire`, wherever the server's own home is. */
export function bundlesFolder(home: string): string {
  return join(home, ".quire", "bundles");
}

/** Makes the folder of all bundles. False where others could put a program there, or nothing can be written. */
export function openBundles(home: string): boolean {
  const folder = bundlesFolder(home);
  // The home itself is not made: one that is gone was for a short time.
  return [dirname(folder), folder].every(isOwn);
}

/** True for a folder, made if need be, that is no link, belongs to this user, and that nobody else can write. */
function isOwn(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // It is there, or cannot be.
  }
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}
