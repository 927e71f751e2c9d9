import { mkdir, writeFile } from "node:fs/promises";
import type { FsReadFileResponse } from "@quire/protocol";
import type { Handlers } from "../context/processor.ts";
import { copy } from "../files/copy.ts";
import { entries, metadata, remove } from "../files/entries.ts";
import { withFsErrors } from "../files/file-errors.ts";
import { checkAbsolute } from "../files/paths.ts";
import { readFileBase64 } from "../files/read-base64.ts";
import { watchesOf } from "../files/watches.ts";
import { writePieces } from "../files/write-base64.ts";
import { Base64Error, decodeBase64, decodeInPieces } from "../lib/base64.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";

/** Longer text is decoded while it is written. */
const largeChars = 4 * 1024 * 1024;

/** Files of the machine, by absolute paths and with the rights of the server. */
export const handlers: Handlers = {
  "fs/readFile": (params) => {
    const path = checkAbsolute(params.path);
    // A large file comes as an encoded message, which the connection sends as it is.
    return withFsErrors(() => readFileBase64(path) as Promise<FsReadFileResponse>);
  },

  "fs/writeFile": (params) => {
    const path = checkAbsolute(params.path);
    const isLarge = params.dataBase64.length > largeChars;
    const bytes = isLarge ? decoded(params.dataBase64, decodeInPieces) : decoded(params.dataBase64, decodeBase64);
    return withFsErrors(async () => {
      await (bytes instanceof Uint8Array ? writeFile(path, bytes) : writePieces(path, bytes));
      return {};
    });
  },

  "fs/createDirectory": (params) => {
    const path = checkAbsolute(params.path);
    return withFsErrors(async () => {
      await mkdir(path, { recursive: params.recursive ?? true });
      return {};
    });
  },

  "fs/getMetadata": (params) => {
    const path = checkAbsolute(params.path);
    return withFsErrors(() => metadata(path));
  },

  "fs/readDirectory": (params) => {
    const path = checkAbsolute(params.path);
    return withFsErrors(async () => ({ entries: await entries(path) }));
  },

  "fs/remove": (params) => {
    const path = checkAbsolute(params.path);
    return withFsErrors(async () => {
      await remove(path, { recursive: params.recursive ?? true, force: params.force ?? true });
      return {};
    });
  },

  "fs/copy": (params) => {
    const [source, destination] = [checkAbsolute(params.sourcePath), checkAbsolute(params.destinationPath)];
    return withFsErrors(async () => {
      await copy(source, destination, params.recursive === true);
      return {};
    });
  },

  "fs/watch": (params, { connection }) => {
    const path = checkAbsolute(params.path);
    // Documented clients leave the name to the server, today's choose it.
    const given = (params as { readonly watchId?: string | null }).watchId ?? undefined;
    const watchId = given ?? Bun.randomUUIDv7();
    watchesOf(connection).add(watchId, path);
    return given === undefined ? { watchId, path } : { path };
  },

  "fs/unwatch": ({ watchId }, { connection }) => {
    watchesOf(connection).remove(watchId);
    return {};
  },
};

function decoded<Bytes>(text: string, decode: (text: string) => Bytes): Bytes {
  try {
    return decode(text);
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error;
    throw invalidRequest(`fs/writeFile requires valid base64 dataBase64: ${error.message}`);
  }
}
