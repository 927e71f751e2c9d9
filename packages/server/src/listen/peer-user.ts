import { readFileSync } from "node:fs";

/** Linux's lists of the sockets of this machine. */
const tables = ["/proc/net/tcp", "/proc/net/tcp6"];
const established = "01";

/** The two ports of a connection within this machine. */
export interface LocalConnection {
  readonly peerPort: number;
  readonly port: number;
}

/**
 * True if a connection comes from a process of this user, or of root, who can do everything anyway. Also true where the
 * system does not tell whose its sockets are.
 */
export function isOfThisUser(connection: LocalConnection, uid: number | undefined = process.getuid?.()): boolean {
  if (uid === undefined) return true;
  const texts = tables.map(readTable);
  if (texts.every((text) => text === undefined)) return true;
  const owners = texts.flatMap((text) => ownersOf(text ?? "", connection));
  // A peer that has closed its socket after it wrote cannot be told any more.
  return owners.length > 0 && owners.every((owner) => owner === uid || owner === 0);
}

function readTable(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** The users at the peer's end of a connection, as a table of sockets has it; NaN for an end that is closed. */
function ownersOf(table: string, { peerPort, port }: LocalConnection): readonly number[] {
  return table.split("\n").flatMap((line) => {
    const [, local = "", remote = "", state, , , , uid, , inode] = line.trim().split(/\s+/);
    if (portOf(local) !== peerPort || portOf(remote) !== port) return [];
    // The end of nobody is listed as root's.
    return [state === established && inode !== "0" ? Number(uid) : Number.NaN];
  });
}

const portOf = (address: string): number => Number.parseInt(address.slice(address.lastIndexOf(":") + 1), 16);
