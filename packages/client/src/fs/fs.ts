import type { FsGetMetadataResponse, FsReadDirectoryEntry } from "@quire/protocol";
import { type Bytes, decodeBase64, encodeBase64, toBytes } from "../lib/base64.ts";
import type { CallOptions, ServerPort } from "../port/server-port.ts";
import { FileWatch, type WatchOptions } from "./file-watch.ts";

/** Options of {@link FileSystem.remove}. */
export interface RemoveOptions extends CallOptions {
  /** Removes a folder with all in it. Default true. */
  readonly recursive?: boolean | undefined;
  /** Takes a path that is not there as removed. Default true. */
  readonly force?: boolean | undefined;
}

/** Options of calls that may go into depth. */
export interface RecursiveOptions extends CallOptions {
  /** For a folder to create: its parents too, default true. For a copy: a folder with all in it, default false. */
  readonly recursive?: boolean | undefined;
}

/** The files of the machine that the server runs on. Paths are absolute. Needs Codex 0.118 or later. */
export class FileSystem {
  readonly #port: ServerPort;

  /** @param port The server. */
  constructor(port: ServerPort) {
    this.#port = port;
  }

  /** Reads a file. */
  async readFile(path: string, options?: CallOptions): Promise<Bytes> {
    const { dataBase64 } = await this.#port.request("fs/readFile", { path }, options);
    return decodeBase64(dataBase64);
  }

  /** Reads a file as UTF-8 text. */
  async readText(path: string, options?: CallOptions): Promise<string> {
    return new TextDecoder().decode(await this.readFile(path, options));
  }

  /** Writes a file, text as UTF-8. Its folder must be there; what the file held is gone. */
  async writeFile(path: string, data: string | Uint8Array, options?: CallOptions): Promise<void> {
    await this.#port.request("fs/writeFile", { path, dataBase64: encodeBase64(toBytes(data)) }, options);
  }

  /** Creates a folder, and by default its parents. */
  async createDirectory(path: string, options: RecursiveOptions = {}): Promise<void> {
    const { recursive, ...call } = options;
    await this.#port.request("fs/createDirectory", { path, recursive }, call);
  }

  /** Reads the kind of a path, and its times. */
  metadata(path: string, options?: CallOptions): Promise<FsGetMetadataResponse> {
    return this.#port.request("fs/getMetadata", { path }, options);
  }

  /** Lists the entries of a folder, in no order. Dangling links are left out (and make Codex 0.118 fail). */
  async readDirectory(path: string, options?: CallOptions): Promise<FsReadDirectoryEntry[]> {
    const { entries } = await this.#port.request("fs/readDirectory", { path }, options);
    return entries;
  }

  /** Removes a file or, by default, a folder with all in it. */
  async remove(path: string, options: RemoveOptions = {}): Promise<void> {
    const { recursive, force, ...call } = options;
    await this.#port.request("fs/remove", { path, recursive, force }, call);
  }

  /** Copies a file, or with `recursive` a folder. */
  async copy(sourcePath: string, destinationPath: string, options: RecursiveOptions = {}): Promise<void> {
    const { recursive, ...call } = options;
    await this.#port.request("fs/copy", { sourcePath, destinationPath, recursive }, call);
  }

  /**
   * Watches a file, or what is directly in a folder. It need not be there yet (on Codex 0.118 it must).
   *
   * ```ts
   * for await (const { paths } of codex.fs.watch("/repo/src", { signal })) rebuild(paths);
   * ```
   */
  watch(path: string, options: WatchOptions = {}): FileWatch {
    return new FileWatch(this.#port, path, options);
  }
}
