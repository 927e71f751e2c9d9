import { readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
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
  for (const operation of operations) {
    const change = await plan(operation, cwd);
    for (const file of change.files) {
      if (targets.has(file)) throw new PatchError(`invalid patch: multiple operations target ${change.path}`);
      targets.add(file);
    }
    changes.push(change);
  }
  return changes;
}

async function plan(operation: FileOperation, cwd: string): Promise<PlannedChange> {
  const path = resolve(cwd, operation.path);
  const file = await withoutLinks(path);
  const common = { type: operation.type, written: operation.path, path, moveTo: null, files: [file] as const };
  switch (operation.type) {
    case "add": {
      const before = await read(file).catch((error) => absent(error, `Failed to read ${path}`));
      return { ...common, before, after: { bytes: Buffer.from(operation.content), mode: before?.mode ?? null } };
    }
    case "delete": {
      const before = await read(file).catch((error) => fail(error, `Failed to read ${path}`));
      return { ...common, before, after: null };
    }
    case "update": {
      const before = await read(file).catch((error) => fail(error, `Failed to read file to update ${path}`));
      const updated = Buffer.from(updateText(textOf(before.bytes, path), operation.chunks, path));
      const change = { ...common, before, after: { bytes: updated, mode: before.mode } };
      const moveTo = operation.moveTo === null ? path : resolve(cwd, operation.moveTo);
      if (operation.moveTo === null || moveTo === path) return change;
      return { ...change, written: operation.moveTo, moveTo, files: [file, await withoutLinks(moveTo)] };
    }
  }
}

/** Where a path really leads, also when its last parts do not exist yet. A link stays; what it leads to is changed. */
async function withoutLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await withoutLinks(parent), basename(path));
  }
}

async function read(path: string): Promise<FileState> {
  const { mode, size, ...info } = await stat(path).then((found) => ({
    mode: found.mode,
    size: found.size,
    file: found.isFile(),
  }));
  if (!info.file) throw new PatchError(`${path} is not a file`);
  if (size > maxFileBytes) throw new PatchError(`${path} is larger than ${maxFileBytes >> 20} MiB`);
  return { bytes: await readFile(path), mode: mode & 0o7777 };
}

function textOf(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new PatchError(`${path} is not UTF-8 text; change it with a command instead`);
  }
}

function absent(error: unknown, what: string): null {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
  return fail(error, what);
}

function fail(error: unknown, what: string): never {
  if (error instanceof PatchError) throw error;
  throw new PatchError(`${what}: ${explainError(error)}`);
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
