import type { Launch } from "../process/launcher.ts";
import { type Entry, findEntry, innerArguments, outerArguments } from "./entry/find-entry.ts";
import { type Bubblewrap, findBubblewrap } from "./find-bubblewrap.ts";
import { holdLinks } from "./hold-links.ts";
import { holdPlaceholders, removePlaceholder } from "./hold-placeholders.ts";
import { mountArguments } from "./mounts.ts";
import { bridgedLaunch } from "./network/bridge.ts";
import { sweepPlaceholders } from "./placeholder-journal.ts";
import type { Reach } from "./reach.ts";
import type { SandboxOptions } from "./sandbox-options.ts";
import { seccompFilter } from "./seccomp-file.ts";

/** Passes the filter on a descriptor, then becomes bubblewrap, which closes it. */
const handOver = 'exec 9<"$0" && exec "$@"';

/** Signals for the command. Bubblewrap's own end would kill everything inside at once. */
const forCommand = ["INT", "QUIT", "TERM"];

/** Variables that control what is loaded before there is a sandbox. */
const loaderVariables = /^(LD_|GLIBC_TUNABLES$|GCONV_PATH$|LOCPATH$|ENV$|BASH_)/;

/** Homes already searched for leftovers of earlier servers. */
const swept = new Set<string>();

/** The same command in a sandbox of bubblewrap. */
export function bubblewrapLaunch(launch: Launch, reach: Reach, options: SandboxOptions): Launch {
  const bubblewrap = findBubblewrap(options.env.PATH, reach.roots);
  const [outer, inner] = starters(bubblewrap, reach, options.home);
  const variables = Object.entries(launch.env);
  const delayed = variables.filter(([name]) => loaderVariables.test(name));
  const argv = [
    ...[...outer, bubblewrap.path, ...bubblewrapArguments(launch.cwd, reach, bubblewrap)],
    ...delayed.flatMap(([name, value]) => ["--setenv", name, value]),
    ...inner,
    ...launch.argv,
  ];
  const env = Object.fromEntries(variables.filter(([name]) => !loaderVariables.test(name)));
  const confined = { ...launch, argv, env, hold: () => hold(reach, options.home) };
  // The network is that of the bridge around it, which is empty.
  if (!reach.network || !reach.proxy) return confined;
  return bridgedLaunch(confined, { bubblewrap: bubblewrap.path, socket: reach.proxy, roots: reach.roots });
}

/** The words before bubblewrap and before the command: the entry program, or where that fails shell and `env`. */
function starters(bubblewrap: Bubblewrap, { roots }: Reach, home: string): [outer: string[], inner: string[]] {
  const entry: Entry | undefined = findEntry(home, bubblewrap.path);
  if (entry) return [outerArguments(entry, home), ["--as-pid-1", "--", ...innerArguments(entry, roots)]];
  const passes = bubblewrap.resetsSignals;
  const script = passes ? `trap "" ${forCommand.join(" ")}; ${handOver}` : handOver;
  const reset = passes ? ["/usr/bin/env", `--default-signal=${forCommand.join(",")}`, "--"] : [];
  return [
    ["/bin/sh", "-c", script, seccompFilter(home)],
    ["--", ...reset],
  ];
}

/** Holds placeholders and links while a command runs. */
function hold({ readOnly, links }: Reach, home: string): () => void {
  if (!swept.has(home)) {
    swept.add(home);
    sweepPlaceholders(home, removePlaceholder);
  }
  const putBack = links.length > 0 ? holdLinks(links) : undefined;
  const giveUp = holdPlaceholders(readOnly, home);
  return () => {
    giveUp();
    putBack?.();
  };
}

/** Does not ask for a new session: the launcher makes one, with its own terminal or none. */
function bubblewrapArguments(cwd: string, reach: Reach, { hasModes }: Bubblewrap): string[] {
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
    ...mountArguments(reach, hasModes),
    ...["--seccomp", "9"],
    ...["--chdir", cwd],
  ];
}
