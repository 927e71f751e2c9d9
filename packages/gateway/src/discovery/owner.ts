import { readFile } from "node:fs/promises";

/** Linux's lists of the sockets of this machine. */
const tables = ["/proc/net/tcp", "/proc/net/tcp6"];
const listening = "0A";

/**
 * True for a port on which another user of this machine listens, neither this one nor root, who can do everything
 * anyway. False where the system does not say.
 */
export async function isOfAnotherUser(port: number, uid: number | undefined = process.getuid?.()): Promise<boolean> {
  if (uid === undefined) return false;
  const texts = await Promise.all(tables.map((table) => readFile(table, "utf8").catch(() => "")));
  return texts.some((text) => listenersOn(text, port).some((owner) => owner !== uid && owner !== 0));
}

/** The users that listen on a port, as a table of sockets has it. */
function listenersOn(table: string, port: number): readonly number[] {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return table.split("\n").flatMap((line) => {
    const [, local = "", , state, , , , uid] = line.trim().split(/\s+/);
    return state === listening && local.endsWith(ending) ? [Number(uid)] : [];
  });
}
