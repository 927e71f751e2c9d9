import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

/** True if a program of that name is on PATH. */
export function isOnPath(name: string): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => existsSync(join(folder, name)));
}
