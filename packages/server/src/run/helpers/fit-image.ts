import { confinedHelper } from "./confine.ts";
import { helperEnvironment, helperFolder, ownProgram } from "./own-program.ts";
import { runHelper } from "./run-helper.ts";
import { Semaphore } from "./semaphore.ts";

/**
 * Pixels of the largest image that is decoded: a photo of the best cameras. Each takes four bytes of memory, and a file of a
 * few kilobytes can announce any number of them.
 */
const maxPixels = 64_000_000;

/** The pixels, the resized ones, the file, and what the program itself takes. */
const memoryMiB = 1024;
const timeoutMs = 20_000;
const maxOutputBytes = 80 << 20;

/** More at once would take as many times the memory; the others wait. */
const decoders = new Semaphore(2);

/** What the child answers before the image: whether it is as it was. */
const unchanged = 0;

/** Made a text and run by another Bun, so it uses nothing from around it. */
async function fit(side: number | null, pixels: number): Promise<void> {
  const image = new Bun.Image(await Bun.stdin.bytes(), { maxPixels: pixels });
  const { width, height } = await image.metadata();
  if (side !== null && Math.max(width, height) > side) {
    const made = await image.resize(side, side, { fit: "inside", withoutEnlargement: true }).bytes();
    await Bun.write(Bun.stdout, new Blob([new Uint8Array([1]), made]));
  } else {
    // Only who reads it to its end sees that it is whole.
    await image.resize(1, 1).bytes();
    await Bun.write(Bun.stdout, new Uint8Array([0]));
  }
}

/**
 * The image with no side longer than that; `undefined` for one that is broken, which would have every request with it
 * refused, or too large. Decoders are the kind of code that hostile files are made for, so they run in a process of their own
 * that sees no files, has no network and takes little.
 *
 * @param side Default: any.
 */
export async function fitImage(bytes: Uint8Array, side?: number): Promise<Uint8Array | undefined> {
  const script = `await (${fit.toString()})(${side ?? null}, ${maxPixels})`;
  using _ = await decoders.enter();
  const end = await runHelper({
    argv: confinedHelper(ownProgram(script), { reads: [process.execPath], memoryMiB }),
    cwd: helperFolder,
    env: helperEnvironment(process.env),
    input: bytes,
    timeoutMs,
    maxOutputBytes,
  });
  if (end?.code !== 0 || end.output.length === 0) return undefined;
  return end.output[0] === unchanged ? bytes : end.output.subarray(1);
}
