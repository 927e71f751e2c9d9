import { isAbsolute, relative, sep } from "node:path";

/** True when a path is a folder or lies in it. Compares text only: resolve links first. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}
