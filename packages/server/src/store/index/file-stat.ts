import { statSync } from "node:fs";

/** The size and time of a file: where both are the same, so is the content. */
export interface FileStat {
  readonly size: number;
  readonly mtime: number;
}

/** The state of a file now; `undefined` without one. */
export function fileStat(path: string): FileStat | undefined {
  try {
    const stat = statSync(path);
    return stat.isFile() ? { size: stat.size, mtime: stat.mtimeMs } : undefined;
  } catch {
    return undefined;
  }
}
