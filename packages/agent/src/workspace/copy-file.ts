import { constants } from "node:fs";
import { type FileHandle, mkdir, open, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { PlannedFile } from "./scan-mount.ts";
import { WorkspaceError, WorkspaceSecurityError } from "./workspace-error.ts";

/** What is read and written at a time. */
const chunkBytes = 64 * 1024;

/** Not waiting for a writer, should the path have become a pipe. Links are resolved before, so none may be left. */
const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Copies one file that a scan found. Between the scan and now the path may have been swapped for a link to elsewhere:
 * what was opened must be the very file that lies at the expected place.
 *
 * @param spend Told of every chunk before it is written; throws where that is too much.
 */
export async function copyFile(file: PlannedFile, target: string, spend: (bytes: number) => void): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const reader = await open(file.expected, readFlags).catch((cause: unknown) => {
    throw new WorkspaceSecurityError(`${file.source} changed while it was copied`, { cause });
  });
  try {
    const { mode } = await checkOpened(reader, file);
    const writer = await open(target, "wx", 0o600 | (mode & 0o777)).catch((cause: unknown) => {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
      throw new WorkspaceError(`Two mounts have a file for ${target}: give them different mount paths`, { cause });
    });
    try {
      await pump(reader, writer, spend);
    } finally {
      await writer.close();
    }
  } finally {
    await reader.close();
  }
}

/**
 * Opening follows links in the folders above, and they may have been swapped a moment ago. So the path is resolved again:
 * it must still be what the scan saw, and the file that is open must be the one that is there.
 */
async function checkOpened(reader: FileHandle, { source, expected }: PlannedFile): Promise<{ mode: number }> {
  const opened = await reader.stat();
  const resolved = await realpath(expected).catch(() => undefined);
  const there = resolved === expected ? await stat(expected).catch(() => undefined) : undefined;
  if (!opened.isFile() || there === undefined || there.ino !== opened.ino || there.dev !== opened.dev)
    throw new WorkspaceSecurityError(`${source} was replaced while it was copied`);
  return opened;
}

async function pump(reader: FileHandle, writer: FileHandle, spend: (bytes: number) => void): Promise<void> {
  const buffer = new Uint8Array(chunkBytes);
  for (;;) {
    const { bytesRead } = await reader.read(buffer, 0, chunkBytes, null);
    if (bytesRead === 0) return;
    spend(bytesRead);
    for (let at = 0; at < bytesRead; ) {
      const { bytesWritten } = await writer.write(buffer, at, bytesRead - at, null);
      at += bytesWritten;
    }
  }
}
