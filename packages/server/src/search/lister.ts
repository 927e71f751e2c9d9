import { type Dirent, readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";

/** A folder in the system's cache takes less; another thread would take longer. */
const quickMs = 2;

/** Folders read on other threads after one was slow. */
const slowFolders = 64;

/** Lists folders: synchronously while the disk is fast, else on other threads. An unreadable folder is empty. */
export class Lister {
  #slow = 0;

  list(folder: string): Dirent[] | Promise<Dirent[]> {
    if (this.#slow > 0) {
      this.#slow -= 1;
      return readdir(folder, { withFileTypes: true }).catch(() => []);
    }
    const began = performance.now();
    try {
      return readdirSync(folder, { withFileTypes: true });
    } catch {
      return [];
    } finally {
      if (performance.now() - began > quickMs) this.#slow = slowFolders;
    }
  }
}
