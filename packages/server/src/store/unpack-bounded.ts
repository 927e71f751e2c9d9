import { confinedHelper } from "../run/helpers/confine.ts";
import { helperEnvironment, helperFolder, ownProgram } from "../run/helpers/own-program.ts";

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

const limitOf = ({ length }: Uint8Array): number => Math.min(maxRolloutBytes, Math.max(alwaysBytes, length * maxRatio));

/**
 * Unpacks a packed rollout of the server's home, where nobody else writes. A small file can announce any size, so what
 * comes out is bounded while it comes.
 */
export function unpackBounded(bytes: Uint8Array): Buffer {
  const limit = limitOf(bytes);
  // Loaded here, since the first thread of a server does not wait for what few rollouts need.
  const { zstdDecompressSync } = process.getBuiltinModule("node:zlib") as unknown as Zstd;
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: limit, chunkSize: chunkBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") throw error;
    throw tooLarge(limit);
  }
}

/** The largest rollout twice, and the program of the child itself. */
const memoryMiB = 4096;
const timeoutMs = 60_000;
/** Codes by which the child ends. */
const [isTooLarge, isBroken] = [3, 4];

const script = `
const { zstdDecompressSync } = process.getBuiltinModule("node:zlib");
const options = { maxOutputLength: Number(process.argv.at(-1)), chunkSize: ${chunkBytes} };
try {
  const bytes = zstdDecompressSync(await Bun.stdin.bytes(), options);
  await Bun.write(Bun.stdout, bytes);
} catch (error) {
  process.exit(error.code === "ERR_BUFFER_TOO_LARGE" ? ${isTooLarge} : ${isBroken});
}
`;

/** {@link unpackBounded} for a rollout from elsewhere: a stranger may have packed it, so a confined process unpacks it. */
export function unpackConfined(bytes: Uint8Array): Buffer {
  const limit = limitOf(bytes);
  const argv = confinedHelper([...ownProgram(script), String(limit)], {
    reads: [process.execPath],
    memoryMiB,
  });
  const { exitCode, stdout } = Bun.spawnSync(argv, {
    cwd: helperFolder,
    env: helperEnvironment(process.env),
    stdin: bytes,
    stdout: "pipe",
    stderr: "ignore",
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: limit,
  });
  if (exitCode === isTooLarge) throw tooLarge(limit);
  if (exitCode !== 0) throw new Error("it cannot be unpacked: it is damaged, or takes too much");
  return stdout;
}

const tooLarge = (limit: number): Error =>
  new Error(`unpacked it would take more than ${limit >> 20} MiB; unpack it by hand if it is really that large`);
