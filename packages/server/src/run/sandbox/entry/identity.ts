import { closeSync, constants, fstatSync, openSync, readlinkSync } from "node:fs";
import { SandboxUnavailable } from "../unavailable.ts";

/** `O_PATH`: reads nothing. */
const toLookAt = 0x200000 | constants.O_NOFOLLOW;

/**
 * An identity that distinguishes a folder from a replacement, as the entry program reads it. Throws when a path has
 * changed: other threads' commands may write around it, and bubblewrap follows links.
 * @param path Without links.
 */
export function identityOf(path: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, toLookAt);
    const { dev, ino } = fstatSync(descriptor, { bigint: true });
    if (readlinkSync(`/proc/self/fd/${descriptor}`) === path) return `${dev.toString(16)}.${ino.toString(16)}`;
  } catch {
    // Gone.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
  throw new SandboxUnavailable(
    `something else came in the place of ${path} while a command was started there: try again`,
  );
}
