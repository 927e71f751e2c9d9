import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that exists until it is disposed of. */
export interface TempDir extends AsyncDisposable {
  /** Absolute, with symbolic links resolved, so that it equals what a child process reports as its cwd. */
  readonly path: string;
  /** Removes the folder and all in it. Idempotent. */
  remove(): Promise<void>;
}

/** Makes an empty folder: `await using dir = await tempDir()`. Its owner removes it. */
export async function tempDir(prefix = "quire-"): Promise<TempDir> {
  const path = await realpath(await mkdtemp(join(tmpdir(), prefix)));
  // A process that is just ending may still create files while the folder is emptied, hence the retries.
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}
