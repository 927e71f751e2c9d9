import { type Dirent, readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";

/** A folder that the system has at hand takes less; handing it to another thread would take longer. */
const quickMs = 2;

/** Folders that are read on other threads after one was not at hand. */
const slowFolders = 64;

/** Lists folders: at once where the disk is quick, else on other threads. A folder that cannot be read has nothing. */
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
