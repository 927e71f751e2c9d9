import { isAbsolute, normalize } from "node:path";
import { invalidRequest } from "../lib/rpc-errors.ts";

/** Refuses a relative path; normalises others. */
export function checkAbsolute(path: string): string {
  if (!isAbsolute(path)) throw invalidRequest("Invalid request: AbsolutePathBuf deserialized without a base path");
  const plain = normalize(path);
  return plain.length > 1 && plain.endsWith("/") ? plain.slice(0, -1) : plain;
}
