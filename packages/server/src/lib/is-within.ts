import { isAbsolute, relative, sep } from "node:path";

/** Whether a path is a folder or lies in it. Looks at the words alone: links must have been followed before. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}
