import { findBubblewrap } from "../sandbox/find-bubblewrap.ts";
import { SandboxUnavailable } from "../sandbox/unavailable.ts";

/** The limits of a program that the server runs for itself. */
export interface HelperReach {
  /** Files and folders it can read besides the system's programs. */
  readonly reads: readonly string[];
  /** Default: none. */
  readonly writes?: readonly string[] | undefined;
  /** Default: none. */
  readonly network?: boolean | undefined;
  /** More ends it. */
  readonly memoryMiB: number;
  /** Folders that others can write: bubblewrap is not taken from there. */
  readonly open?: readonly string[] | undefined;
}

/** Folders of the system's programs and libraries, without homes or sockets of other programs. */
const systemFolders = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt"],
  ...["/nix/store", "/gnu/store", "/run/current-system", "/home/linuxbrew/.linuxbrew"],
];

/** Sets limits, then becomes the program. Limits that a system does not know are skipped. */
const limited = 'ulimit -v "$0" 2>/dev/null; ulimit -c 0 2>/dev/null; exec "$@"';

/**
 * Confines a program: no network, no writing, little to see, bounded memory. Its input comes from strangers, so any
 * damage must end there. Without bubblewrap (another system, no user namespaces) only memory is bounded: the program
 * must be harmless by itself too.
 */
export function confinedHelper(argv: readonly string[], reach: HelperReach): string[] {
  if (process.platform === "win32") return [...argv];
  return ["/bin/sh", "-c", limited, String(reach.memoryMiB * 1024), ...walls(reach), ...argv];
}

function walls({ reads, writes = [], network = false, open = [] }: HelperReach): string[] {
  const bubblewrap = workingBubblewrap(open);
  if (bubblewrap === undefined) return [];
  return [
    ...[bubblewrap, "--die-with-parent", "--new-session", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
    ...(network ? [] : ["--unshare-net"]),
    ...["--cap-drop", "ALL"],
    ...(reads.includes("/") ? [] : systemFolders).flatMap((path) => ["--ro-bind-try", path, path]),
    ...reads.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--dev", "/dev", "--proc", "/proc", "--remount-ro", "/proc"],
    ...writes.flatMap((path) => ["--bind", path, path]),
    ...(reads.includes("/") ? [] : ["--remount-ro", "/"]),
    "--",
  ];
}

function workingBubblewrap(open: readonly string[]): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return findBubblewrap(process.env.PATH, open).path;
  } catch (error) {
    if (error instanceof SandboxUnavailable) return undefined;
    throw error;
  }
}
