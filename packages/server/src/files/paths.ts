import { isAbsolute, normalize } from "node:path";
import { invalidRequest } from "../lib/rpc-errors.ts";

/** Refuses a path that means another place to each who reads it; gives it without detours. */
export function checkAbsolute(path: string): string {
  if (!isAbsolute(path)) throw invalidRequest("Invalid request: AbsolutePathBuf deserialized without a base path");
  const plain = normalize(path);
  return plain.length > 1 && plain.endsWith("/") ? plain.slice(0, -1) : plain;
}
