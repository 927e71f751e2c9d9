import { type FileHandle, open } from "node:fs/promises";

/** Writes a file from pieces, of which each is valid until the one after the next is asked for. */
export async function writePieces(path: string, pieces: Iterable<Uint8Array>): Promise<void> {
  const file = await open(path, "w");
  try {
    let written: Promise<void> | undefined;
    for (const piece of pieces) {
      await written;
      // Not waited for yet: the next piece is made meanwhile.
      written = write(file, piece);
    }
    await written;
  } finally {
    await file.close();
    // The pieces are garbage by then, and large; reading the file next would need as much memory again.
    setImmediate(() => Bun.gc(false));
  }
}

async function write(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.length; ) at += (await file.write(piece, at, piece.length - at)).bytesWritten;
}
