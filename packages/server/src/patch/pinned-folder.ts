import {
  closeSync,
  constants,
  fchmodSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FileState } from "./plan-patch.ts";

/**
 * Does something in a folder that is known to be the one at its path. Commands that run meanwhile could put a link in the
 * place of any folder that they can write, and the server, which no sandbox holds back, would follow it: what is opened here
 * stays the same folder whatever becomes of its path, and where it lies is looked at after it was opened. Where descriptors
 * have no paths, as on macOS, there remains a moment between looking and doing.
 */
function inFolder<Result>(folder: string, work: (at: string) => Result): Result {
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const at = process.platform === "linux" ? `/proc/self/fd/${descriptor}` : folder;
    const real = process.platform === "linux" ? readlinkSync(at) : realpathSync(folder);
    if (real !== folder) throw new Error(`${folder} was replaced by something else meanwhile; try again`);
    return work(at);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes what shall become a file beside it. Gives its path. */
export function stageFile(path: string, { bytes, mode }: FileState): string {
  const name = `.${basename(path)}.${crypto.randomUUID().slice(0, 8)}`;
  inFolder(dirname(path), (at) => {
    const descriptor = openSync(join(at, name), "wx", 0o666);
    try {
      writeFileSync(descriptor, bytes);
      if (mode !== null) fchmodSync(descriptor, mode);
    } catch (error) {
      unlinkSync(join(at, name));
      throw error;
    } finally {
      closeSync(descriptor);
    }
  });
  return join(dirname(path), name);
}

/** Puts what was staged in the place of the file. A link there is replaced, not followed. */
export function placeFile(staged: string, path: string): void {
  inFolder(dirname(path), (at) => renameSync(join(at, basename(staged)), join(at, basename(path))));
}

/** Removes a file. */
export function removeFile(path: string): void {
  inFolder(dirname(path), (at) => unlinkSync(join(at, basename(path))));
}

/** Removes what was staged; it may be gone. */
export function dropStaged(path: string): void {
  inFolder(dirname(path), (at) => rmSync(join(at, basename(path)), { force: true }));
}
