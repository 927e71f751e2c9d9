import { confinedHelper } from "./confine.ts";
import { helperEnvironment, helperFolder, ownProgram } from "./own-program.ts";
import { runHelper } from "./run-helper.ts";
import { Semaphore } from "./semaphore.ts";

/** A photo of the best cameras. A pixel takes four bytes, and a small file can announce any number. */
const maxPixels = 64_000_000;

/** Pixels, resized pixels, the file, and the program itself. */
const memoryMiB = 1024;
const timeoutMs = 20_000;
const maxOutputBytes = 80 << 20;

/** More at once would multiply the memory; others wait. */
const decoders = new Semaphore(2);

/** The child's answer before the image: it is unchanged. */
const unchanged = 0;

/** Turned into text and run by another Bun, so it uses nothing from outside. */
async function fit(side: number, patches: number, pixels: number): Promise<void> {
  const image = new Bun.Image(await Bun.stdin.bytes(), { maxPixels: pixels });
  const { width, height } = await image.metadata();
  let scale = Math.min(1, side / Math.max(width, height));
  // Models look at squares of 32 pixels: as many whole ones as there may be.
  const [across, down] = [(width * scale) / 32, (height * scale) / 32];
  if (Math.ceil(across) * Math.ceil(down) > patches) {
    const shrink = Math.sqrt(patches / (across * down));
    const whole = (squares: number) => Math.max(1, Math.floor(squares)) / squares;
    scale *= shrink * Math.min(1, whole(across * shrink), whole(down * shrink));
  }
  if (scale < 1) {
    const size = (pixelsOfSide: number) => Math.max(1, Math.round(pixelsOfSide * scale));
    const made = await image.resize(size(width), size(height), { fit: "fill" }).bytes();
    await Bun.write(Bun.stdout, new Blob([new Uint8Array([1]), made]));
  } else {
    // Only reading to the end shows that the image is complete.
    await image.resize(1, 1).bytes();
    await Bun.write(Bun.stdout, new Uint8Array([0]));
  }
}

/** Size of an image that a model looks at in full. */
export interface ImageBudget {
  /** Pixels of the longer side. */
  readonly side: number;
  /** Squares of 32 pixels. */
  readonly patches: number;
}

/**
 * The image within a budget; `undefined` when it is too large or broken, since one broken image makes every request
 * fail. Decoders are a target of hostile files, so they run in a confined process.
 */
export async function fitImage(bytes: Uint8Array, { side, patches }: ImageBudget): Promise<Uint8Array | undefined> {
  const script = `await (${fit.toString()})(${side}, ${patches}, ${maxPixels})`;
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
