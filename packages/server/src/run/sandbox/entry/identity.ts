import { closeSync, constants, fstatSync, openSync, readlinkSync } from "node:fs";
import { SandboxUnavailable } from "../unavailable.ts";

/** To look at, whatever it is; nothing is read. */
const toLookAt = 0x200000 | constants.O_NOFOLLOW;

/**
 * What tells a folder apart from one that is put in its place, as the entry program reads it. Throws where a path leads
 * elsewhere by now: commands of other threads may write around it, and bubblewrap follows links.
 *
 * @param path Without links.
 */
export function identityOf(path: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, toLookAt);
    const { dev, ino } = fstatSync(descriptor, { bigint: true });
    if (readlinkSync(`/proc/self/fd/${descriptor}`) === path) return `${dev.toString(16)}.${ino.toString(16)}`;
  } catch {
    // It is gone.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
  throw new SandboxUnavailable(
    `something else came in the place of ${path} while a command was started there: try again`,
  );
}
