import { createReadStream, statSync } from "node:fs";
import { createGunzip } from "node:zlib";
import { PluginProblem } from "./marketplace.ts";

/** Maximum size of an archive. */
export interface ArchiveLimits {
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly entries: number;
}

const usual: ArchiveLimits = { packedBytes: 50 << 20, unpackedBytes: 256 << 20, entries: 20_000 };

/** Size of tar blocks; each entry begins with one. */
const blockBytes = 512;

/**
 * Unpacks a `.tgz` into a folder, after checking its size: a few kilobytes can hold gigabytes or millions of files.
 * Entries that lead out of the folder are kept in it; such links, pipes and devices are left out.
 */
export async function unpackArchive(archive: string, into: string, limits: ArchiveLimits = usual): Promise<void> {
  const { size } = statSync(archive);
  if (size > limits.packedBytes) throw tooLarge(`${size} bytes, of ${limits.packedBytes} at most`);
  const counter = new EntryCounter();
  let unpacked = 0;
  for await (const chunk of createReadStream(archive).pipe(createGunzip()) as AsyncIterable<Buffer>) {
    unpacked += chunk.length;
    if (unpacked > limits.unpackedBytes) throw tooLarge(`over ${limits.unpackedBytes} bytes unpacked`);
    counter.add(chunk);
    if (counter.entries > limits.entries) throw tooLarge(`over ${limits.entries} files`);
  }
  await new Bun.Archive(await Bun.file(archive).bytes()).extract(into);
}

const tooLarge = (why: string): PluginProblem => new PluginProblem(`the package is too large: ${why}`);

/** Counts the entries of a tar file while it streams. */
class EntryCounter {
  entries = 0;
  #begun = Buffer.alloc(0);
  #skip = 0;

  add(chunk: Buffer): void {
    let rest = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk]);
    for (;;) {
      const skipped = Math.min(this.#skip, rest.length);
      this.#skip -= skipped;
      rest = rest.subarray(skipped);
      if (this.#skip > 0 || rest.length < blockBytes) break;
      this.#header(rest);
      rest = rest.subarray(blockBytes);
    }
    this.#begun = Buffer.from(rest);
  }

  #header(block: Buffer): void {
    // Empty blocks are the end.
    if (block[0] === 0) return;
    this.entries++;
    const size = Number.parseInt(block.toString("latin1", 124, 136), 8) || 0;
    this.#skip = Math.ceil(size / blockBytes) * blockBytes;
  }
}
