import { constants } from "node:os";
import { RpcError } from "@quire/jsonrpc";
import { internalError } from "../lib/rpc-errors.ts";

/** The C library's texts, which Codex's clients know. */
const words: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    EPERM: "Operation not permitted",
    ENOENT: "No such file or directory",
    EIO: "Input/output error",
    ENXIO: "No such device or address",
    EACCES: "Permission denied",
    EBUSY: "Device or resource busy",
    EEXIST: "File exists",
    EXDEV: "Invalid cross-device link",
    ENOTDIR: "Not a directory",
    EISDIR: "Is a directory",
    EINVAL: "Invalid argument",
    EMFILE: "Too many open files",
    EFBIG: "File too large",
    ENOSPC: "No space left on device",
    EROFS: "Read-only file system",
    EMLINK: "Too many links",
    ENAMETOOLONG: "File name too long",
    ENOTEMPTY: "Directory not empty",
    ELOOP: "Too many levels of symbolic links",
    ENOMEM: "Cannot allocate memory",
  }),
);

/** A system error's text and number; the message itself for an unknown code. */
function systemMessage(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const said = code === undefined ? undefined : words.get(code);
  if (said === undefined || code === undefined) return message;
  return `${said} (os error ${constants.errno[code as keyof typeof constants.errno]})`;
}

/** True for `ENOENT`. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

/** Runs file-system work, and turns the system's errors into RPC errors with its own texts. */
export async function withFsErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (RpcError.is(error)) throw error;
    throw internalError(systemMessage(error));
  }
}
