import { lstatSync, readlinkSync, renameSync, symlinkSync } from "node:fs";

/**
 * Remembers the targets of links. A link cannot be mounted on, so a command can replace it.
 * @returns Restores the links. A replacement is kept next to it under another name.
 */
export function holdLinks(paths: readonly string[]): () => void {
  const known = paths.flatMap((path) => {
    const target = targetOf(path);
    return target === undefined ? [] : [{ path, target }];
  });
  return () => {
    for (const { path, target } of known) if (targetOf(path) !== target) putBack(path, target);
  };
}

function putBack(path: string, target: string): void {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }))
      renameSync(path, `${path}.replaced-${Bun.randomUUIDv7().slice(-8)}`);
    symlinkSync(target, path);
  } catch {
    // The folder around it is gone.
  }
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
