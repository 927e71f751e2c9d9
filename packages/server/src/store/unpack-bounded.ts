/** Missing in the types of Node 20, against which we compile. */
interface Zstd {
  zstdDecompressSync(
    bytes: Uint8Array,
    options: { readonly maxOutputLength: number; readonly chunkSize: number },
  ): Buffer;
}

/** The largest rollout that is read, packed or not. It is held in memory as a whole. */
export const maxRolloutBytes: number = 1 << 30;

const alwaysBytes = 64 << 20;

/** Above that limit, the maximum ratio. Real threads reach 5 to 50. */
const maxRatio = 200;

const chunkBytes = 1 << 20;

/** Unpacks a packed rollout. A small file can announce any size, so what comes out is bounded while it comes. */
export function unpackBounded(bytes: Uint8Array): Buffer {
  const limit = Math.min(maxRolloutBytes, Math.max(alwaysBytes, bytes.length * maxRatio));
  // Loaded here, since the first thread of a server does not wait for what few rollouts need.
  const { zstdDecompressSync } = process.getBuiltinModule("node:zlib") as unknown as Zstd;
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: limit, chunkSize: chunkBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") throw error;
    throw new Error(
      `unpacked it would take more than ${limit >> 20} MiB; unpack it by hand if it is really that large`,
    );
  }
}
