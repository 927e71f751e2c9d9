import { spawnSync } from "node:child_process";
import { findProgram } from "../process/find-program.ts";
import { SandboxUnavailable } from "./unavailable.ts";

/** A bubblewrap that works here. */
export interface Bubblewrap {
  readonly path: string;
  /** True when `env` can restore the signals that were kept from bubblewrap, as GNU's can. */
  readonly resetsSignals: boolean;
  /** True when it can set the mode of folders that it makes. Since 0.5. */
  readonly hasModes: boolean;
}

const probed = new Map<string, Bubblewrap>();

/**
 * Finds bubblewrap on a PATH. Each candidate is tried once.
 * @param open Folders that commands can write; bubblewrap is not taken from there.
 */
export function findBubblewrap(path: string | undefined, open: readonly string[]): Bubblewrap {
  const found = findProgram("bwrap", path, open);
  if (found === undefined)
    throw new SandboxUnavailable("bubblewrap not found: install it (Debian: apt-get install bubblewrap)");
  const known = probed.get(found) ?? probe(found);
  probed.set(found, known);
  return known;
}

function probe(path: string): Bubblewrap {
  const walls = ["--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"];
  const modes = ["--perms", "0555", "--tmpfs", "/proc/fs"];
  const run = (options: readonly string[], command: readonly string[]) =>
    spawnSync(path, [...walls, ...options, "--", ...command], { encoding: "utf8", env: {} });
  const resetting = ["/usr/bin/env", "--default-signal=TERM", "--", "/bin/true"];
  const plain = ["/bin/sh", "-c", "exit 0"];
  for (const hasModes of [true, false]) {
    const options = hasModes ? modes : [];
    if (run(options, resetting).status === 0) return { path, resetsSignals: true, hasModes };
    if (run(options, plain).status === 0) return { path, resetsSignals: false, hasModes };
  }
  const said = run([], plain).stderr?.trim() || "it does not start";
  throw new SandboxUnavailable(
    `bubblewrap does not work here (${said}): allow user namespaces, or start it where they are allowed`,
  );
}
