import * as zlib from "node:zlib";

/** Bun has it; the types that we compile against are those of Node 20, which has not. */
const { zstdDecompressSync } = zlib as unknown as {
  zstdDecompressSync(
    bytes: Uint8Array,
    options: { readonly maxOutputLength: number; readonly chunkSize: number },
  ): Buffer;
};

/** The largest rollout that is read, packed or not. It is held in memory as a whole. */
export const maxRolloutBytes: number = 1 << 30;

/** What any packed file may come to. */
const alwaysBytes = 64 << 20;

/** Beyond that, how many times its own size. Text of real threads comes to between 5 and 50 times. */
const maxRatio = 200;

const chunkBytes = 1 << 20;

/** Unpacks a packed rollout. A small file can announce any size, so what comes out is bounded while it comes. */
export function unpackBounded(bytes: Uint8Array): Buffer {
  const limit = Math.min(maxRolloutBytes, Math.max(alwaysBytes, bytes.length * maxRatio));
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: limit, chunkSize: chunkBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") throw error;
    throw new Error(
      `unpacked it would take more than ${limit >> 20} MiB; unpack it by hand if it is really that large`,
    );
  }
}
