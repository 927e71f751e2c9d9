import { constants } from "node:fs";
import { type FileHandle, open, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { inFolder } from "./held-folder.ts";
import { WorkspaceError, WorkspaceSecurityError } from "./workspace-error.ts";

/** Never waits for the other end of a pipe. Links are resolved before, so none may be left. */
const careful = (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** The size of a chunk. */
const chunkBytes = 64 * 1024;

/**
 * Opens the regular file at a path without links, to read it. Others who write in the folders above may swap one for a
 * link at any moment: what is open must be the file that lies at that very path. The caller closes it.
 *
 * @param name How errors name the file.
 */
export async function openExact(path: string, name: string): Promise<FileHandle> {
  return checked(await openCarefully(path, constants.O_RDONLY, name), path, name);
}

/**
 * The same to write it, empty; made where it is not there. Nothing is written or emptied before it is checked. Its folder is
 * held open meanwhile, so that a file is made in no other (where folders can be reached by descriptor, as on Linux).
 */
export async function openExactToWrite(path: string, name: string): Promise<FileHandle> {
  return inFolder(dirname(path), name, async (held) => {
    const place = join(held, basename(path));
    const file = await checked(await openCarefully(place, constants.O_WRONLY | constants.O_CREAT, name), path, name);
    await file.truncate();
    return file;
  });
}

function replaced(name: string, cause?: unknown): WorkspaceSecurityError {
  return new WorkspaceSecurityError(`${name} is no regular file, or was replaced meanwhile`, { cause });
}

/** Reads an open file, chunk by chunk: one that grows meanwhile is still held to the bound. */
export async function readText(file: FileHandle, name: string, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(chunkBytes), 0, chunkBytes, null);
    if (bytesRead === 0) return new TextDecoder().decode(Buffer.concat(chunks));
    total += bytesRead;
    if (total > maxBytes)
      throw new WorkspaceError(`${name} has more than ${maxBytes} bytes: read a part of it instead`);
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

async function openCarefully(path: string, flags: number, name: string): Promise<FileHandle> {
  return open(path, flags | careful).catch((cause: NodeJS.ErrnoException) => {
    // A link, a pipe nobody reads, a socket: nothing that was there when the path was resolved.
    if (cause.code !== "ELOOP" && cause.code !== "ENXIO") throw cause;
    throw replaced(name, cause);
  });
}

/** Closes what is not the file at that path. */
async function checked(file: FileHandle, path: string, name: string): Promise<FileHandle> {
  try {
    if ((await file.stat()).isFile() && (await liesAt(file, path))) return file;
    throw replaced(name);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Tells whether an open file lies at a path. Where the system tells it of the file itself, a link that comes and goes is no way out. */
async function liesAt(file: FileHandle, path: string): Promise<boolean> {
  if (process.platform === "linux") return (await readlink(`/proc/self/fd/${file.fd}`)) === path;
  const [opened, resolved] = await Promise.all([file.stat(), realpath(path).catch(() => undefined)]);
  const there = resolved === path ? await stat(path).catch(() => undefined) : undefined;
  return there?.ino === opened.ino && there.dev === opened.dev;
}
