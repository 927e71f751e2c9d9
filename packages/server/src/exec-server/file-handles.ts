import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { RpcError } from "@quire/jsonrpc";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { notFoundCode } from "./file-errors.ts";

/** Files of one client open at once; one more is refused. */
const maxOpen = 128;

/** Bytes of one read. */
const maxBlock = 1024 * 1024;

/** Files that a client reads piece by piece, by the names that it gave them. */
export class FileHandles {
  readonly #files = new Map<string, FileHandle>();
  #opening = 0;

  async open(handleId: string, path: string): Promise<void> {
    if (this.#files.has(handleId)) throw invalidRequest(`file handle \`${handleId}\` already exists`);
    if (this.#files.size + this.#opening >= maxOpen)
      throw invalidRequest(`${maxOpen} files are open: close some with fs/close`);
    this.#opening += 1;
    try {
      // A pipe would be waited for.
      const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
      if ((await file.stat()).isFile() && !this.#files.has(handleId)) this.#files.set(handleId, file);
      else {
        await file.close();
        throw invalidRequest(`path \`${path}\` is not a file`);
      }
    } finally {
      this.#opening -= 1;
    }
  }

  async read(handleId: string, offset: number, length: number): Promise<{ bytes: Uint8Array; eof: boolean }> {
    if (length < 1 || length > maxBlock)
      throw invalidRequest(`file read block length must be between 1 and ${maxBlock}`);
    const file = this.#files.get(handleId);
    if (!file) throw new RpcError({ code: notFoundCode, message: `unknown file handle \`${handleId}\`` });
    const bytes = new Uint8Array(length);
    let size = 0;
    while (size < length) {
      const { bytesRead } = await file.read(bytes, size, length - size, offset + size);
      if (bytesRead === 0) break;
      size += bytesRead;
    }
    return { bytes: bytes.subarray(0, size), eof: size < length };
  }

  /** An unknown one was closed before. */
  async closeOne(handleId: string): Promise<void> {
    const file = this.#files.get(handleId);
    this.#files.delete(handleId);
    await file?.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#files.keys()].map((handleId) => this.closeOne(handleId)));
  }
}
