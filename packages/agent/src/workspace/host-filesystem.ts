import { access, mkdir, readdir, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isWithin } from "./contained.ts";
import type { Filesystem } from "./filesystem.ts";
import { openExact, openExactToWrite, readText } from "./open-exact.ts";
import { WorkspaceSecurityError } from "./workspace-error.ts";

/** A text beyond this is nothing for a model, and would fill the memory. */
const maxTextBytes = 64 * 1024 * 1024;

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
    const file = await openExact(await this.#existing(path), path);
    try {
      return await readText(file, path, maxTextBytes);
    } finally {
      await file.close();
    }
  }

  async writeText(path: string, text: string): Promise<void> {
    const target = this.#place(path);
    await this.#checkNearest(target, path);
    await mkdir(dirname(target), { recursive: true });
    const file = await openExactToWrite(await this.#placeToWrite(target, path), path);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
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
    const place = this.#place(path);
    const [root, target] = await Promise.all([realpath(this.root), realpath(place)]);
    if (!isWithin(root, target)) throw leaves(path);
    return target;
  }

  /** The place that a path leads to. Its folder exists by now; the file itself need not. */
  async #placeToWrite(target: string, path: string): Promise<string> {
    const root = await realpath(this.root);
    const real = await realpath(target).catch(async () => join(await realpath(dirname(target)), basename(target)));
    if (!isWithin(root, real)) throw leaves(path);
    return real;
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
