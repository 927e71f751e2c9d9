import { isAbsolute, relative, sep } from "node:path";

/** True if the path is the folder or lies below it. Both are real paths. */
export function isWithin(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}
