import { delimiter, isAbsolute, resolve } from "node:path";
import { isWithin } from "./within.ts";

/** `PATH` without what an agent could put a program into: relative entries, and folders below `reach`. */
export function cleanPath(path: string | undefined, reach: string): string | undefined {
  return path
    ?.split(delimiter)
    .filter((entry) => isAbsolute(entry) && !isWithin(reach, resolve(entry)))
    .join(delimiter);
}
