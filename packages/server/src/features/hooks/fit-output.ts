import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultContextTokens } from "../../hooks/read-hooks.ts";
import { PinnedFolders } from "../../workspace-files/pinned-folders.ts";
import { realPathOf } from "../../workspace-files/real-path.ts";
import { writeNewFile } from "../../workspace-files/write-file.ts";

const charactersPerToken = 4;

/**
 * Shortens text for the model: both ends, and the path of a temporary file with all of it.
 * @param limit Tokens; `null` for the default, 0 for no limit.
 */
export function fitOutput(text: string, limit: number | null = null): string {
  const characters = (limit ?? defaultContextTokens) * charactersPerToken;
  if (characters === 0 || text.length <= characters) return text;
  const half = Math.floor(characters / 2);
  // An unguessable folder: others can make folders among temporary files too.
  const path = join(mkdtempSync(join(realPathOf(tmpdir()), "quire-hook-")), "output.txt");
  using folders = new PinnedFolders();
  writeNewFile(path, { bytes: text, mode: 0o600 }, folders);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n… ${left} characters left out; the whole output is in ${path} …\n${text.slice(-half)}`;
}
