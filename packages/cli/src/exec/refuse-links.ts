import { lstatSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, parse, relative, resolve, sep } from "node:path";

/**
 * Throws where a link on the way to a file lies in a folder that commands of a model can write: one of an earlier run may
 * have put it there, so that the file is another than the one that the command line names.
 * @param folders Folders that they can write besides those for temporary files.
 */
export function refuseLinks(file: string, folders: readonly string[]): void {
  const open = [...folders, "/tmp", tmpdir()].map(realPath);
  const path = resolve(file);
  let at = parse(path).root;
  for (const name of relative(at, path).split(sep)) {
    const next = join(at, name);
    const isLink = lstatSync(next, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (isLink && open.some((folder) => at === folder || at.startsWith(`${folder}${sep}`)))
      throw new Error(`${next} is a link in a folder that the model can write: remove it, or name a file elsewhere`);
    at = isLink ? realPath(next) : next;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Nothing is there, or no file, as behind /dev/stdout.
    return path;
  }
}
