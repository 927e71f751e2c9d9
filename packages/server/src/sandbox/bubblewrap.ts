import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Launch } from "../exec/launcher.ts";
import type { Reach } from "./reach.ts";
import type { SandboxOptions } from "./sandbox-launcher.ts";
import { seccompFilter } from "./seccomp-file.ts";
import { SandboxUnavailable } from "./unavailable.ts";

/**
 * Hands the filter over on a descriptor, then becomes bubblewrap. The descriptor is closed by bubblewrap, and the file is
 * not to be seen from within.
 */
const withFilter = ["/bin/sh", "-c", 'exec 9<"$0" && exec "$@"'];

/** The same command in a sandbox of bubblewrap. */
export function bubblewrapLaunch(launch: Launch, reach: Reach, options: SandboxOptions): Launch {
  const bwrap = findBubblewrap(options.env.PATH);
  const argv = [
    ...withFilter,
    seccompFilter(options.home),
    bwrap,
    ...bubblewrapArguments(launch.cwd, reach),
    "--",
    ...launch.argv,
  ];
  return { ...launch, argv };
}

function bubblewrapArguments(cwd: string, reach: Reach): string[] {
  return [
    // Goes with the server, whatever ends that.
    "--die-with-parent",
    // Without this, input could be pushed into the terminal that the server was started from.
    ...(reach.tty ? [] : ["--new-session"]),
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    ...(reach.network ? [] : ["--unshare-net"]),
    ...["--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/"],
    ...["--dev", "/dev"],
    ...["--proc", "/proc"],
    ...reach.writable.flatMap((path) => ["--bind", path, path]),
    ...reach.readOnly.flatMap((path) => ["--ro-bind", path, path]),
    ...reach.hidden.flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...["--seccomp", "9"],
    ...["--chdir", cwd],
  ];
}

const found = new Map<string, string>();

/** The path of a bubblewrap that works here. Looked for once. */
function findBubblewrap(path: string | undefined): string {
  const folders = (path ?? "/usr/bin:/bin").split(delimiter);
  const key = folders.join(delimiter);
  const known = found.get(key);
  if (known !== undefined) return known;
  const bwrap = folders.map((folder) => join(folder, "bwrap")).find(isExecutable);
  if (bwrap === undefined)
    throw new SandboxUnavailable("bubblewrap not found: install it (Debian: apt-get install bubblewrap)");
  const { status, stderr } = spawnSync(
    bwrap,
    ["--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "--", "/bin/true"],
    { encoding: "utf8" },
  );
  if (status !== 0) {
    const said = stderr?.trim() || "it does not start";
    throw new SandboxUnavailable(
      `bubblewrap does not work here (${said}): allow user namespaces, or start it where they are allowed`,
    );
  }
  found.set(key, bwrap);
  return bwrap;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
