import { findBubblewrap } from "../sandbox/find-bubblewrap.ts";
import { SandboxUnavailable } from "../sandbox/unavailable.ts";

/** How far a program reaches that the server runs for itself. */
export interface HelperReach {
  /** What it sees of the file system besides the system's own programs: files and folders, read-only. */
  readonly reads: readonly string[];
  /** Folders that it can write. Default: none. */
  readonly writes?: readonly string[] | undefined;
  /** Default: none. */
  readonly network?: boolean | undefined;
  /** Most memory that it takes. More ends it. */
  readonly memoryMiB: number;
  /** Folders that others write: bubblewrap is not taken from there. */
  readonly open?: readonly string[] | undefined;
}

/** Where systems have their programs, and what those need. Neither a home nor a socket of another program is among them. */
const systemFolders = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt"],
  ...["/nix/store", "/gnu/store", "/run/current-system", "/home/linuxbrew/.linuxbrew"],
];

/** Sets limits, then becomes the program. Where a system does not know one of them, it goes without. */
const limited = 'ulimit -v "$0" 2>/dev/null; ulimit -c 0 2>/dev/null; exec "$@"';

/**
 * The same program without network, unable to write, with little to see and a bound on its memory. What it reads was
 * written by others, so whatever they make it do must end there. Without bubblewrap (another system, no user namespaces) only
 * memory is bounded: what is run must be harmless by itself too.
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
