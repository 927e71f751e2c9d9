import type { Launch } from "../exec/launcher.ts";
import { findBubblewrap } from "./find-bubblewrap.ts";
import { bridgedLaunch } from "./network/bridge.ts";
import type { Reach } from "./reach.ts";
import type { SandboxOptions } from "./sandbox-launcher.ts";
import { seccompFilter } from "./seccomp-file.ts";

/**
 * Hands the filter over on a descriptor, then becomes bubblewrap. The descriptor is closed by bubblewrap, and the file is
 * not to be seen from within.
 */
const handOver = 'exec 9<"$0" && exec "$@"';

/** Signals that are for the command, not for bubblewrap, whose end would be that of all within at once. */
const forCommand = ["INT", "QUIT", "TERM"];

/** Variables that would decide over what shell and bubblewrap load, before there is a sandbox. */
const loaderVariables = /^(LD_|GLIBC_TUNABLES$|GCONV_PATH$|LOCPATH$|ENV$|BASH_)/;

/** The same command in a sandbox of bubblewrap. */
export function bubblewrapLaunch(launch: Launch, reach: Reach, options: SandboxOptions): Launch {
  const bubblewrap = findBubblewrap(options.env.PATH, reach.roots);
  const passes = bubblewrap.resetsSignals;
  const variables = Object.entries(launch.env);
  const delayed = variables.filter(([name]) => loaderVariables.test(name));
  const argv = [
    ...[
      "/bin/sh",
      "-c",
      passes ? `trap "" ${forCommand.join(" ")}; ${handOver}` : handOver,
      seccompFilter(options.home),
    ],
    ...[bubblewrap.path, ...bubblewrapArguments(launch.cwd, reach)],
    ...delayed.flatMap(([name, value]) => ["--setenv", name, value]),
    "--",
    ...(passes ? ["/usr/bin/env", `--default-signal=${forCommand.join(",")}`, "--"] : []),
    ...launch.argv,
  ];
  const env = Object.fromEntries(variables.filter(([name]) => !loaderVariables.test(name)));
  const confined = { ...launch, argv, env };
  // The network is that of the bridge around it, which is empty.
  if (!reach.network || !reach.proxy) return confined;
  return bridgedLaunch(confined, { bubblewrap: bubblewrap.path, socket: reach.proxy, roots: reach.roots });
}

/** A session of its own is not asked for: who starts the launch makes one, with a terminal of its own or with none. */
function bubblewrapArguments(cwd: string, reach: Reach): string[] {
  return [
    // Goes with the server, whatever ends that.
    "--die-with-parent",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    ...(reach.network ? [] : ["--unshare-net"]),
    ...["--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/"],
    ...["--dev", "/dev"],
    ...["--proc", "/proc"],
    // Root without any capability can still write the kernel's settings, one of which names a program to run outside.
    ...["--remount-ro", "/proc"],
    ...reach.writable.flatMap((path) => ["--bind", path, path]),
    // A place where something is mounted cannot be renamed.
    ...reach.anchors.flatMap((path) => ["--bind", path, path]),
    ...reach.readOnly.flatMap((path) => ["--ro-bind", path, path]),
    ...reach.hidden.flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...["--seccomp", "9"],
    ...["--chdir", cwd],
  ];
}
