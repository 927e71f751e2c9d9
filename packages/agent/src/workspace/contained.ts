import { isAbsolute, relative, sep } from "node:path";

/** Tells whether a path is a folder or lies in it. Both must be resolved already. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}
