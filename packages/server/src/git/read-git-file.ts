import { readTextIfAny } from "../workspace-files/read-file.ts";
import { anywhere } from "../workspace-files/root.ts";

/** Lists of branches can be long. */
const maxBytes = 16 << 20;

/** The text of a file in a git folder; `undefined` where there is none that can be read. Never waits for a pipe. */
export function readGitFile(path: string): string | undefined {
  return readTextIfAny(path, { ...anywhere(path), maxBytes });
}
