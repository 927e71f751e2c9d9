import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { openExact } from "./open-exact.ts";
import type { PlannedFile } from "./scan-mount.ts";
import { WorkspaceError, WorkspaceSecurityError } from "./workspace-error.ts";

/** The size of a chunk. */
const chunkBytes = 64 * 1024;

/**
 * Copies one file that a scan found.
 *
 * @param spend Told of every chunk before it is written; throws where that is too much.
 */
export async function copyFile(file: PlannedFile, target: string, spend: (bytes: number) => void): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const reader = await openExact(file.expected, file.source).catch((cause: unknown) => {
    throw new WorkspaceSecurityError(`${file.source} changed while it was copied`, { cause });
  });
  try {
    const { mode } = await reader.stat();
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
 * Copies what is left of an open file to another.
 *
 * @param spend Told of every chunk before it is written; throws where that is too much.
 */
export async function pump(
  reader: FileHandle,
  writer: FileHandle,
  spend: (bytes: number) => void = () => undefined,
): Promise<void> {
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
