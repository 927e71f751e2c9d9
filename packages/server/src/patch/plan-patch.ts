import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { statIfThere } from "../stat-if-there.ts";
import { breather } from "./breather.ts";
import { type FileOperation, PatchError } from "./patch.ts";
import { updateText } from "./update-text.ts";

/** Files beyond this are not patched: they are no source text. */
const maxFileBytes = 64 << 20;

/** A file before or after a patch. */
export interface FileState {
  readonly bytes: Buffer;
  /** Permission bits; `null` for a new file. */
  readonly mode: number | null;
}

/** What a patch makes of one file. */
export interface PlannedChange {
  readonly type: "add" | "delete" | "update";
  /** As the patch writes it. */
  readonly written: string;
  readonly path: string;
  /** Where the content goes instead. */
  readonly moveTo: string | null;
  /** The files that are written or removed, with no link on the way: `path` first, then `moveTo`. */
  readonly files: readonly [string, ...string[]];
  /** `null` where there is no file. */
  readonly before: FileState | null;
  readonly after: FileState | null;
}

/** Reads the files of a patch and works out all that it does. Changes nothing; throws {@link PatchError} if any part does not fit. */
export async function planPatch(operations: readonly FileOperation[], cwd: string): Promise<PlannedChange[]> {
  const targets = new Set<string>();
  const changes: PlannedChange[] = [];
  const breathe = breather();
  for (const operation of operations) {
    const change = plan(operation, cwd);
    await breathe();
    for (const file of change.files) {
      if (targets.has(file)) throw new PatchError(`invalid patch: multiple operations target ${change.path}`);
      targets.add(file);
    }
    changes.push(change);
  }
  return changes;
}

function plan(operation: FileOperation, cwd: string): PlannedChange {
  const path = resolve(cwd, operation.path);
  const file = withoutLinks(path);
  const common = { type: operation.type, written: operation.path, path, moveTo: null, files: [file] as const };
  switch (operation.type) {
    case "add": {
      const before = readIfThere(file, path);
      return { ...common, before, after: { bytes: Buffer.from(operation.content), mode: before?.mode ?? null } };
    }
    case "delete": {
      const before = read(file, `Failed to read ${path}`);
      return { ...common, before, after: null };
    }
    case "update": {
      const before = read(file, `Failed to read file to update ${path}`);
      const updated = Buffer.from(updateText(textOf(before.bytes, path), operation.chunks, path));
      const change = { ...common, before, after: { bytes: updated, mode: before.mode } };
      const moveTo = operation.moveTo === null ? path : resolve(cwd, operation.moveTo);
      if (operation.moveTo === null || moveTo === path) return change;
      return { ...change, written: operation.moveTo, moveTo, files: [file, withoutLinks(moveTo)] };
    }
  }
}

/** Where a path really leads, also when its last parts do not exist yet. A link stays; what it leads to is changed. */
function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(withoutLinks(parent), basename(path));
  }
}

function readIfThere(file: string, path: string): FileState | null {
  if (statIfThere(file) === undefined) return null;
  return read(file, `Failed to read ${path}`);
}

function read(file: string, failure: string): FileState {
  try {
    // Without waiting: a pipe that a command has put there would be waited for by the whole server.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = fstatSync(descriptor);
      if (!found.isFile()) throw new PatchError(`${file} is not a file`);
      if (found.size > maxFileBytes) throw new PatchError(`${file} is larger than ${maxFileBytes >> 20} MiB`);
      return { bytes: readFileSync(descriptor), mode: found.mode & 0o7777 };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof PatchError) throw error;
    throw new PatchError(`${failure}: ${explainError(error)}`);
  }
}

function textOf(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new PatchError(`${path} is not UTF-8 text; change it with a command instead`);
  }
}

/** A system error in the words that clients and models know. */
export function explainError(error: unknown): string {
  const { code, errno, message } = error as NodeJS.ErrnoException;
  const words: Record<string, string> = {
    ENOENT: "No such file or directory",
    EACCES: "Permission denied",
    EISDIR: "Is a directory",
    ENOTDIR: "Not a directory",
    EROFS: "Read-only file system",
    ENOSPC: "No space left on device",
  };
  const known = code === undefined ? undefined : words[code];
  return known === undefined ? message : `${known} (os error ${Math.abs(errno ?? 0)})`;
}
