import { constants, type Stats } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { inParallel } from "../../lib/in-parallel.ts";
import { TrackerError } from "../../tracker/tracker-error.ts";
import { type IssueFile, parseIssue } from "./issue-file.ts";
import { maxFileBytes } from "./limits.ts";
import { removeAbandonedDrafts } from "./write-issue.ts";

/** Files read at once. */
const width = 16;

/** A parsed file: an issue, or a sentence that says what is wrong with it. */
type Content = IssueFile | string;

/**
 * Age below which a file's time proves nothing, in milliseconds: file systems count in steps, so a file that was written
 * twice within one of them looks the same both times.
 */
const settledMs = 2000;

/** File system calls of the store. */
export interface FolderSystem {
  lstat(path: string): Promise<Stats>;
  /** Milliseconds since 1970. */
  now(): number;
}

interface Cached {
  readonly stamp: string;
  readonly content: Content;
}

/**
 * The files of a folder, each one issue. A file is read again only when its time, size or inode has changed, so that a
 * look at a thousand unchanged issues costs a thousand calls of `stat`.
 */
export class FolderStore {
  readonly folder: string;
  readonly #system: FolderSystem;
  #cache = new Map<string, Cached>();

  /** @param system Default: the system itself. */
  constructor(folder: string, system: FolderSystem = { lstat, now: Date.now }) {
    this.folder = folder;
    this.#system = system;
  }

  /** Everything in the folder, by identifier, in the order of the names. */
  async all(signal?: AbortSignal): Promise<ReadonlyMap<string, Content>> {
    const names = await this.#names();
    const contents = await inParallel(names, width, async (identifier) => {
      signal?.throwIfAborted();
      return [identifier, await this.one(identifier)] as const;
    });
    const present = contents.filter((each): each is readonly [string, Content] => each[1] !== undefined);
    const known = new Set(present.map(([identifier]) => identifier));
    for (const identifier of this.#cache.keys()) if (!known.has(identifier)) this.#cache.delete(identifier);
    return new Map(present);
  }

  /** Reads an issue; undefined if there is no such file. */
  async one(identifier: string): Promise<Content | undefined> {
    if (!isIdentifier(identifier)) return undefined;
    const path = this.path(identifier);
    try {
      const facts = await this.#system.lstat(path);
      const stamp = `${facts.mtimeMs} ${facts.ctimeMs} ${facts.size} ${facts.ino}`;
      const cached = this.#cache.get(identifier);
      if (cached?.stamp === stamp) return cached.content;
      const settled = Math.abs(this.#system.now() - facts.ctimeMs) > settledMs;
      const content = await this.#read(identifier, facts);
      if (settled) this.#cache.set(identifier, { stamp, content });
      return content;
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined;
      throw unreadable(path, error);
    }
  }

  /** Throws where the folder itself is gone: its issues are then unknown, not deleted. */
  async assertThere(): Promise<void> {
    try {
      await readdir(this.folder);
    } catch (error) {
      throw unreadable(this.folder, error);
    }
  }

  /** Path of an issue's file. */
  path(identifier: string): string {
    return join(this.folder, `${identifier}.md`);
  }

  async #read(identifier: string, facts: Stats): Promise<Content> {
    const name = `${identifier}.md`;
    if (!facts.isFile()) return `${name} is not a regular file: copy it here.`;
    if (facts.size > maxFileBytes) return `${name} is larger than ${maxFileBytes} bytes: shorten it.`;
    // A link that takes the file's place just now is not followed.
    const handle = await open(this.path(identifier), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const content = await handle.readFile("utf8");
      return parseIssue(content, { identifier, path: name, modifiedMs: facts.mtimeMs });
    } finally {
      await handle.close();
    }
  }

  async #names(): Promise<string[]> {
    try {
      const entries = await readdir(this.folder);
      await removeAbandonedDrafts(this.folder, entries);
      const names = entries.filter((name) => name.endsWith(".md") && name.toLowerCase() !== "readme.md");
      return names
        .map((name) => name.slice(0, -3))
        .filter(isIdentifier)
        .sort();
    } catch (error) {
      throw unreadable(this.folder, error);
    }
  }
}

/** Names that can be files of the folder, and none that editors and we use for what is half written. */
function isIdentifier(value: string): boolean {
  return /^[^/\\\0]+$/.test(value) && !/^[._~#]/.test(value) && value.length <= 200;
}

function unreadable(path: string, cause: unknown): TrackerError {
  const code = codeOf(cause);
  const remedy = code === "ENOENT" ? "Create it, or correct tracker.provider.path." : "Check its rights and the disk.";
  return new TrackerError("tracker_request", `${path} cannot be read (${code ?? String(cause)}). ${remedy}`, { cause });
}

/** The code of an error of the file system. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
