import { resolve } from "node:path";
import { FileRefused } from "../workspace-files/root.ts";
import { SourceFiles } from "../workspace-files/source-files.ts";
import { type FileOperation, PatchError } from "./patch.ts";
import { updateText } from "./update-text.ts";
import { yieldOften } from "./yield-often.ts";

/** Larger files are not source text. */
const maxFileBytes = 64 << 20;

/** A file before or after a patch. */
export interface FileState {
  readonly bytes: Buffer;
  /** Permission bits; `null` for a new file. */
  readonly mode: number | null;
}

/** The effect of a patch on one file. */
export interface PlannedChange {
  readonly type: "add" | "delete" | "update";
  /** As the patch writes it. */
  readonly written: string;
  readonly path: string;
  /** The new path of a moved file. */
  readonly moveTo: string | null;
  /** Real paths of the files to write or remove: `path`, then `moveTo`. */
  readonly files: readonly [string, ...string[]];
  /** `null` when the file is new. */
  readonly before: FileState | null;
  readonly after: FileState | null;
  /** The file that `moveTo` replaces; `null` when there is none. */
  readonly replaced: FileState | null;
}

/** The folder and home of a patch. */
export interface PatchPlace {
  readonly cwd: string;
  /** The server's home, whose credentials cannot be patched. */
  readonly home: string;
}

/** Reads the files of a patch and works out all that it does. Changes nothing; throws {@link PatchError} if any part does not fit. */
export async function planPatch(operations: readonly FileOperation[], place: PatchPlace): Promise<PlannedChange[]> {
  using sources = new SourceFiles({ home: place.home, maxBytes: maxFileBytes });
  const targets = new Set<string>();
  const changes: PlannedChange[] = [];
  const breathe = yieldOften();
  for (const operation of operations) {
    const change = plan(operation, place.cwd, sources);
    await breathe();
    for (const file of change.files) {
      if (targets.has(file)) throw new PatchError(`invalid patch: multiple operations target ${change.path}`);
      targets.add(file);
    }
    changes.push(change);
  }
  return changes;
}

function plan(operation: FileOperation, cwd: string, sources: SourceFiles): PlannedChange {
  const path = resolve(cwd, operation.path);
  const failure = operation.type === "update" ? `Failed to read file to update ${path}` : `Failed to read ${path}`;
  // A link stays; what it leads to is changed.
  const { file, before } = read(path, sources, failure);
  const common = {
    type: operation.type,
    written: operation.path,
    path,
    moveTo: null,
    files: [file] as const,
    replaced: null,
  };
  if (operation.type === "add")
    return { ...common, before, after: { bytes: Buffer.from(operation.content), mode: before?.mode ?? null } };
  if (before === null) throw new PatchError(`${failure}: No such file or directory (os error 2)`);
  if (operation.type === "delete") return { ...common, before, after: null };
  const updated = Buffer.from(updateText(textOf(before.bytes, path), operation.chunks, path));
  const change = { ...common, before, after: { bytes: updated, mode: before.mode } };
  const moveTo = operation.moveTo === null ? path : resolve(cwd, operation.moveTo);
  if (operation.moveTo === null || moveTo === path) return change;
  const target = read(moveTo, sources, `Failed to read ${moveTo}`);
  return { ...change, written: operation.moveTo, moveTo, files: [file, target.file], replaced: target.before };
}

interface Source {
  readonly file: string;
  readonly before: FileState | null;
}

function read(path: string, sources: SourceFiles, failure: string): Source {
  try {
    const { real, found } = sources.read(path);
    return { file: real, before: found ? { bytes: found.bytes, mode: found.stats.mode & 0o7777 } : null };
  } catch (error) {
    if (error instanceof FileRefused) throw new PatchError(error.message);
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
  const words = new Map(
    Object.entries({
      ENOENT: "No such file or directory",
      EACCES: "Permission denied",
      EISDIR: "Is a directory",
      ENOTDIR: "Not a directory",
      EROFS: "Read-only file system",
      ENOSPC: "No space left on device",
    }),
  );
  const known = code === undefined ? undefined : words.get(code);
  return known === undefined ? message : `${known} (os error ${Math.abs(errno ?? 0)})`;
}
