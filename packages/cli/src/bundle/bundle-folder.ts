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
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return [dirname(folder), folder].every(isOwn);
  } catch {
    return false;
  }
}

/** True for a folder, not a link to one, that belongs to this user and that nobody else can write. */
function isOwn(folder: string): boolean {
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}
