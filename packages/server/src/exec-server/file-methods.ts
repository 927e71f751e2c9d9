import { mkdir, realpath, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { copy } from "../files/copy.ts";
import { entries, metadata, remove } from "../files/entries.ts";
import { readFileBase64 } from "../files/read-base64.ts";
import { Base64Error, decodeBase64 } from "../lib/base64.ts";
import { invalidParams, invalidRequest } from "../lib/rpc-errors.ts";
import { isPlaceholder } from "../workspace-files/placeholder.ts";
import { changeConfined, type FileChange } from "./confined-write.ts";
import { confinementOf } from "./confinement-of.ts";
import { withExecErrors } from "./file-errors.ts";
import type { Call, Method, Methods } from "./methods.ts";
import {
  choiceField,
  countField,
  type Fields,
  fieldsOf,
  flagField,
  optionalFlag,
  pathField,
  textField,
} from "./params.ts";
import { walk } from "./walk.ts";

/**
 * Files, with all rights of the exec-server unless the client asks for a sandbox. Every sandbox that can be asked for
 * lets everything be read, so only changes are made within it.
 */
export const fileMethods: Methods = {
  "fs/readFile": reading((path) => readFileBase64(path)),
  "fs/getMetadata": reading(async (path) => {
    // A `.git` that only keeps the place for a running command would pass for a repository.
    if (isPlaceholder(path)) throw Object.assign(new Error(), { code: "ENOENT" });
    return { ...(await metadata(path)), size: (await stat(path)).size };
  }),
  "fs/readDirectory": reading(async (path) => {
    const all = await entries(path);
    return { entries: all.filter(({ fileName }) => !isPlaceholder(join(path, fileName))) };
  }),
  "fs/canonicalize": reading(async (path) => ({ path: pathToFileURL(await realpath(path)).href })),
  "fs/walk": (fields, { signal, sandbox }) => {
    const path = pathField(fields, "path");
    if (fields.options === undefined) throw invalidParams("missing field `options`");
    const options = fieldsOf(fields.options);
    const limits = {
      maxDepth: countField(options, "maxDepth"),
      maxDirectories: countField(options, "maxDirectories"),
      maxEntries: countField(options, "maxEntries"),
      followDirectorySymlinks: optionalFlag(options, "followDirectorySymlinks", false),
    };
    confinementOf(fields.sandbox, sandbox.env);
    return withExecErrors(() => walk(path, limits, signal));
  },

  "fs/writeFile": (fields, call) => {
    const path = pathField(fields, "path");
    const bytes = decoded(textField(fields, "dataBase64"));
    return changing({ fields, call, change: { kind: "write", path }, bytes }, () => writeFile(path, bytes));
  },

  "fs/createDirectory": (fields, call) => {
    const path = pathField(fields, "path");
    const recursive = optionalFlag(fields, "recursive", true);
    const change = { kind: "createDirectory", path, recursive } as const;
    return changing({ fields, call, change }, () => mkdir(path, { recursive }));
  },

  "fs/remove": (fields, call) => {
    const path = pathField(fields, "path");
    const how = { recursive: optionalFlag(fields, "recursive", true), force: optionalFlag(fields, "force", true) };
    return changing({ fields, call, change: { kind: "remove", path, ...how } }, () => remove(path, how));
  },

  "fs/copy": (fields, call) => {
    const [path, to] = [pathField(fields, "sourcePath"), pathField(fields, "destinationPath")];
    const recursive = flagField(fields, "recursive");
    return changing({ fields, call, change: { kind: "copy", path, to, recursive } }, () => copy(path, to, recursive));
  },

  "fs/open": (fields, { session, sandbox }) => {
    const [handleId, path] = [textField(fields, "handleId"), pathField(fields, "path")];
    choiceField(fields, "mode", ["read"]);
    confinementOf(fields.sandbox, sandbox.env);
    return withExecErrors(async () => {
      await session.files.open(handleId, path);
      return { handleId };
    });
  },

  "fs/readBlock": (fields, { session }) => {
    const handleId = textField(fields, "handleId");
    const [offset, length] = [countField(fields, "offset"), countField(fields, "len")];
    return withExecErrors(async () => {
      const { bytes, eof } = await session.files.read(handleId, offset, length);
      return { chunk: Buffer.from(bytes).toString("base64"), eof };
    });
  },

  "fs/close": async (fields, { session }) => {
    await session.files.closeOne(textField(fields, "handleId"));
    return {};
  },
};

function reading(read: (path: string) => Promise<unknown>): Method {
  return (fields, { sandbox }) => {
    const path = pathField(fields, "path");
    confinementOf(fields.sandbox, sandbox.env);
    return withExecErrors(() => read(path));
  };
}

interface Changing {
  readonly fields: Fields;
  readonly call: Call;
  readonly change: FileChange;
  readonly bytes?: Uint8Array;
}

function changing(
  { fields, call: { sandbox }, change, bytes }: Changing,
  open: () => Promise<unknown>,
): Promise<object> {
  const confinement = confinementOf(fields.sandbox, sandbox.env);
  return withExecErrors(async () => {
    if (confinement.policy.type === "dangerFullAccess") await open();
    else await changeConfined(change, confinement, { sandbox, ...(bytes && { bytes }) });
    return {};
  });
}

function decoded(text: string): Uint8Array {
  try {
    return decodeBase64(text);
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error;
    throw invalidRequest(`fs/writeFile requires valid base64 dataBase64: ${error.message}`);
  }
}
