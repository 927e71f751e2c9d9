import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ThreadInUse } from "../store/thread-store.ts";
import { lockThread, type WriterLock } from "../store/writer-lock.ts";

/** More servers of one home than that on one database are a mistake. */
const maxServers = 1000;

/** A folder for copies, below a home, that no other process uses. The next server of the home finds the copies again. */
export class CopyFolder {
  readonly path: string;
  readonly #lock: WriterLock;

  constructor(home: string, url: string) {
    const base = join(home, "shared", createHash("sha256").update(withoutLogin(url)).digest("hex").slice(0, 12));
    for (let number = 1; ; number++) {
      const path = join(base, String(number));
      mkdirSync(path, { recursive: true, mode: 0o700 });
      try {
        this.#lock = lockThread(path, "copies");
        this.path = path;
        return;
      } catch (error) {
        if (!(error instanceof ThreadInUse) || number === maxServers) throw error;
      }
    }
  }

  release(): void {
    this.#lock.release();
  }
}

/** A new password is no new database. */
function withoutLogin(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return host + pathname;
  } catch {
    return url;
  }
}
