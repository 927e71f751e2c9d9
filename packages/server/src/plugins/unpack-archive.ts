import { mkdirSync, statSync } from "node:fs";
import { confinedHelper } from "../run/helpers/confine.ts";
import { helperEnvironment, helperFolder, ownProgram } from "../run/helpers/own-program.ts";
import { runHelper } from "../run/helpers/run-helper.ts";
import { PluginProblem } from "./marketplace.ts";

/** Maximum size of an archive. */
export interface ArchiveLimits {
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly entries: number;
}

const usual: ArchiveLimits = { packedBytes: 50 << 20, unpackedBytes: 256 << 20, entries: 20_000 };

/** The archive, packed and unpacked, and the program itself. */
const memoryMiB = 1536;
const timeoutMs = 60_000;

/** The child prints no more than why it stopped. */
const maxOutputBytes = 1024;

/**
 * Counts an archive's bytes and entries as they come, then unpacks it. Turned into text and run by another Bun, so it uses
 * nothing from outside. Prints what is too much.
 */
async function unpack(archive: string, into: string, { unpackedBytes, entries }: ArchiveLimits): Promise<void> {
  const blockBytes = 512;
  const packed = await Bun.file(archive).bytes();
  let [unpacked, found, skip] = [0, 0, 0];
  let begun = new Uint8Array(0);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  for await (const chunk of stream) {
    unpacked += chunk.length;
    if (unpacked > unpackedBytes) return console.log(`over ${unpackedBytes} bytes unpacked`);
    let rest = begun.length === 0 ? new Uint8Array(chunk) : new Uint8Array(Buffer.concat([begun, chunk]));
    for (;;) {
      const skipped = Math.min(skip, rest.length);
      skip -= skipped;
      rest = rest.subarray(skipped);
      if (skip > 0 || rest.length < blockBytes) break;
      // Each entry begins with a block that has its size; empty ones are the end.
      if (rest[0] !== 0) {
        if (++found > entries) return console.log(`over ${entries} files`);
        const size = Number.parseInt(Buffer.from(rest.subarray(124, 136)).toString("latin1"), 8) || 0;
        skip = Math.ceil(size / blockBytes) * blockBytes;
      }
      rest = rest.subarray(blockBytes);
    }
    begun = rest.slice();
  }
  await new Bun.Archive(packed).extract(into);
}

/**
 * Unpacks a `.tgz` into a folder: a few kilobytes can hold gigabytes or millions of files. Entries that lead out of the
 * folder are kept in it; such links, pipes and devices are left out. Archives come from strangers, so a confined process
 * does it, which can write to that folder alone.
 */
export async function unpackArchive(archive: string, into: string, limits: ArchiveLimits = usual): Promise<void> {
  const { size } = statSync(archive);
  if (size > limits.packedBytes) throw tooLarge(`${size} bytes, of ${limits.packedBytes} at most`);
  mkdirSync(into, { recursive: true });
  const words = [archive, into, limits].map((word) => JSON.stringify(word)).join(", ");
  const end = await runHelper({
    argv: confinedHelper(ownProgram(`await (${unpack.toString()})(${words})`), {
      reads: [process.execPath, archive],
      writes: [into],
      memoryMiB,
    }),
    cwd: helperFolder,
    env: helperEnvironment(process.env),
    timeoutMs,
    maxOutputBytes,
  });
  const why = end?.output.toString().trim();
  if (why) throw tooLarge(why);
  if (end?.code !== 0) throw new PluginProblem("the package cannot be unpacked: it is damaged, or takes too much");
}

const tooLarge = (why: string): PluginProblem => new PluginProblem(`the package is too large: ${why}`);
