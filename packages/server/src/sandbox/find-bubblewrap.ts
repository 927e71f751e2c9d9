import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isWithin, realPath } from "./reach.ts";
import { SandboxUnavailable } from "./unavailable.ts";

/** A bubblewrap that works here. */
export interface Bubblewrap {
  readonly path: string;
  /** Whether `env` can give a command the signals back that were kept from bubblewrap. GNU's can. */
  readonly resetsSignals: boolean;
}

/** Folders that no command writes to: what is there is preferred to whatever else PATH names. */
const systemFolders = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"];

const probed = new Map<string, Bubblewrap>();

/**
 * Finds bubblewrap on a PATH. Each one found is tried out once.
 *
 * @param open Folders that commands can write. What lies there is not taken: a command may have put it there.
 */
export function findBubblewrap(path: string | undefined, open: readonly string[]): Bubblewrap {
  const listed = (path ?? "/usr/bin:/bin").split(delimiter).filter(isAbsolute);
  const folders = [...systemFolders.filter((folder) => listed.includes(folder)), ...listed];
  const found = folders
    .map((folder) => join(folder, "bwrap"))
    .find((file) => isExecutable(file) && !liesIn(file, open));
  if (found === undefined)
    throw new SandboxUnavailable("bubblewrap not found: install it (Debian: apt-get install bubblewrap)");
  const known = probed.get(found) ?? probe(found);
  probed.set(found, known);
  return known;
}

function probe(path: string): Bubblewrap {
  const run = (command: readonly string[]) =>
    spawnSync(
      path,
      ["--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--", ...command],
      { encoding: "utf8" },
    );
  if (run(["/usr/bin/env", "--default-signal=TERM", "--", "/bin/true"]).status === 0)
    return { path, resetsSignals: true };
  const { status, stderr } = run(["/bin/sh", "-c", "exit 0"]);
  if (status === 0) return { path, resetsSignals: false };
  const said = stderr?.trim() || "it does not start";
  throw new SandboxUnavailable(
    `bubblewrap does not work here (${said}): allow user namespaces, or start it where they are allowed`,
  );
}

function liesIn(file: string, folders: readonly string[]): boolean {
  return realPath(file).some((real) => folders.some((folder) => isWithin(file, folder) || isWithin(real, folder)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
