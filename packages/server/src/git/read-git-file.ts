import { dirname } from "node:path";
import { readFile } from "../workspace-files/read-file.ts";
import { FileRefused } from "../workspace-files/root.ts";

/** Lists of branches can be long. */
const maxBytes = 16 << 20;

/** What is read is shown to nobody as it is, so no home has to be hidden. */
const home = "/nonexistent";

/** The text of a file in a git folder; `undefined` where there is none that can be read. Never waits for a pipe. */
export function readGitFile(path: string): string | undefined {
  try {
    return readFile(path, { root: { path: dirname(path), trusted: true }, home, maxBytes })?.bytes.toString();
  } catch (error) {
    if (error instanceof FileRefused || (error as NodeJS.ErrnoException).code !== undefined) return undefined;
    throw error;
  }
}
