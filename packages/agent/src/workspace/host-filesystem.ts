import { access, mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isWithin } from "./contained.ts";
import type { Filesystem } from "./filesystem.ts";
import { WorkspaceSecurityError } from "./workspace-error.ts";

/**
 * A folder of this machine for tools to work on. What leads out of it, by `..` or by a link, is refused. It never takes
 * changes back: the folder may be the user's own.
 */
export class HostFilesystem implements Filesystem {
  readonly root: string;

  constructor(root: string) {
    this.root = resolve(root);
  }

  async readText(path: string): Promise<string> {
    return readFile(await this.#existing(path), "utf8");
  }

  async writeText(path: string, text: string): Promise<void> {
    const target = this.#place(path);
    await this.#checkNearest(target, path);
    await mkdir(dirname(target), { recursive: true });
    await this.#checkNearest(target, path);
    await writeFile(target, text);
  }

  async exists(path: string): Promise<boolean> {
    const target = this.#place(path);
    try {
      await access(target);
    } catch {
      return false;
    }
    await this.#existing(path);
    return true;
  }

  async list(path: string = "."): Promise<readonly string[]> {
    const entries = await readdir(await this.#existing(path), { withFileTypes: true });
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  }

  #place(path: string): string {
    const target = join(this.root, path);
    if (path.includes("\0") || !isWithin(this.root, target)) throw leaves(path);
    return target;
  }

  async #existing(path: string): Promise<string> {
    const [root, target] = await Promise.all([realpath(this.root), realpath(this.#place(path))]);
    if (!isWithin(root, target)) throw leaves(path);
    return target;
  }

  /** Of a path that need not be there: the nearest part of it that is must lie within. */
  async #checkNearest(target: string, path: string): Promise<void> {
    const root = await realpath(this.root);
    for (let at = target; isWithin(this.root, at); at = dirname(at)) {
      const real = await realpath(at).catch(() => undefined);
      if (real === undefined) continue;
      if (!isWithin(root, real)) throw leaves(path);
      return;
    }
  }
}

const leaves = (path: string): WorkspaceSecurityError =>
  new WorkspaceSecurityError(`The path ${JSON.stringify(path)} leaves the workspace`);
