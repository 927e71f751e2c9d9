import { readFileSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "@quire/testkit";

/** A folder with issues of beads, and a program that answers for them. */
export interface BdFolder extends AsyncDisposable {
  readonly path: string;
  readonly command: string;
  issues(): Record<string, unknown>[];
}

/** Makes one. */
export async function fakeBdFolder(issues: readonly Record<string, unknown>[]): Promise<BdFolder> {
  const dir = await tempDir("quire-beads-");
  const command = join(dir.path, "bd");
  await writeFile(join(dir.path, "issues.json"), JSON.stringify(issues));
  const fake = join(import.meta.dirname, "fake-bd.ts");
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${fake}' "$@"\n`);
  await chmod(command, 0o755);
  return {
    path: dir.path,
    command,
    issues: () => JSON.parse(readFileSync(join(dir.path, "issues.json"), "utf8")),
    [Symbol.asyncDispose]: () => dir.remove(),
  };
}
