import { constants } from "node:fs";
import { copyFile, lstat, mkdir, readdir, readlink, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { AgentError } from "../lib/agent-error.ts";
import { copyFile as copyExactly } from "./copy-file.ts";

/** Snapshots that can still be restored; older ones are forgotten, and their copies removed. */
const mostSnapshots = 8;
/** Files changed this shortly before a snapshot may change again within the same tick of the file system's clock. */
const tickMs = 50;

interface Entry {
  readonly kind: "file" | "folder" | "link";
  /** What tells whether a file was changed. */
  readonly stamp: string;
  readonly changedMs: number;
  /** Where a link leads. */
  readonly target?: string;
  /** The copy of a file. */
  readonly copy?: string;
}

interface Manifest {
  readonly takenMs: number;
  readonly entries: ReadonlyMap<string, Entry>;
}

/**
 * Remembers the state of a folder. Files are copied to a place of its own when they have changed since the snapshot
 * before; all files, whatever the folder's own ignore rules say. Links are kept as links and never followed.
 */
export class SnapshotStore {
  readonly #folder: string;
  readonly #copies: string;
  readonly #kept = new Map<number, Manifest>();
  #count = 0;
  #files = 0;

  /**
   * @param folder With all links resolved.
   * @param copies A place outside of it, where a folder is made on demand; the caller removes it.
   */
  constructor(folder: string, copies: string) {
    this.#folder = folder;
    this.#copies = copies;
  }

  /** Takes a snapshot and gives its number. */
  async take(): Promise<number> {
    await mkdir(this.#copies, { recursive: true });
    const before = this.#kept.get(this.#count);
    const takenMs = Date.now();
    const entries = new Map<string, Entry>();
    for (const [path, entry] of await this.#scan()) {
      const known = before?.entries.get(path);
      const isSame = before !== undefined && known?.stamp === entry.stamp && isSettled(entry, before.takenMs);
      const kept = entry.kind !== "file" ? entry : isSame ? known : await this.#copy(path, entry);
      if (kept) entries.set(path, kept);
    }
    this.#kept.set(++this.#count, { takenMs, entries });
    await this.#forget();
    return this.#count;
  }

  /** Makes the folder what it was. */
  async restore(number: unknown): Promise<void> {
    const manifest = typeof number === "number" ? this.#kept.get(number) : undefined;
    if (!manifest) throw new AgentError(`The workspace's snapshot is not known any more: ${mostSnapshots} are kept`);
    const now = await this.#scan();
    // What should not be there goes first, the deepest last part first, so that a link cannot stand where a folder was.
    for (const [path, entry] of [...now].reverse()) {
      const wanted = manifest.entries.get(path);
      const isSame = wanted?.stamp === entry.stamp && (entry.kind !== "file" || isSettled(entry, manifest.takenMs));
      if (!isSame) {
        await rm(join(this.#folder, path), { recursive: true, force: true });
        now.delete(path);
      }
    }
    for (const [path, entry] of manifest.entries) {
      const target = join(this.#folder, path);
      if (await isThere(target)) continue;
      if (entry.kind === "folder") await mkdir(target);
      else if (entry.kind === "link") await symlink(entry.target ?? "", target);
      else await copyFile(join(this.#copies, entry.copy ?? ""), target, constants.COPYFILE_EXCL);
    }
  }

  /** Everything in the folder; a folder comes before what is in it. */
  async #scan(): Promise<Map<string, Entry>> {
    const found = new Map<string, Entry>();
    const visit = async (path: string): Promise<void> => {
      const names = await readdir(join(this.#folder, path));
      for (const name of names.sort()) {
        const inner = path === "" ? name : join(path, name);
        const entry = await this.#inspect(inner);
        if (!entry) continue;
        found.set(inner, entry);
        if (entry.kind === "folder") await visit(inner);
      }
    };
    await visit("");
    return found;
  }

  async #inspect(path: string): Promise<Entry | undefined> {
    const full = join(this.#folder, path);
    const info = await lstat(full, { bigint: true }).catch(() => undefined);
    if (!info) return undefined;
    const changedMs = Number(info.ctimeMs);
    if (info.isDirectory()) return { kind: "folder", stamp: "folder", changedMs };
    if (info.isSymbolicLink()) {
      const target = await readlink(full);
      return { kind: "link", stamp: `link ${target}`, changedMs, target };
    }
    // Sockets and pipes have no content to keep.
    if (!info.isFile()) return undefined;
    return { kind: "file", stamp: `${info.ino} ${info.size} ${info.mode} ${info.mtimeNs} ${info.ctimeNs}`, changedMs };
  }

  /** Undefined for a file that has gone meanwhile. */
  async #copy(path: string, entry: Entry): Promise<Entry | undefined> {
    const copy = String(++this.#files);
    const source = join(this.#folder, path);
    try {
      await copyExactly({ path, source, expected: source, size: 0 }, join(this.#copies, copy), () => undefined);
    } catch (error) {
      if (await isThere(source)) throw error;
      return undefined;
    }
    return { ...entry, copy };
  }

  async #forget(): Promise<void> {
    const oldest = this.#kept.get(this.#count - mostSnapshots);
    if (!oldest) return;
    this.#kept.delete(this.#count - mostSnapshots);
    const used = new Set(
      [...this.#kept.values()].flatMap(({ entries }) => [...entries.values()].map(({ copy }) => copy)),
    );
    for (const { copy } of oldest.entries.values()) {
      if (copy !== undefined && !used.has(copy)) await rm(join(this.#copies, copy), { force: true });
    }
  }
}

/** Whether a file was last changed long enough before a moment that a later change would show. */
const isSettled = ({ changedMs }: Entry, momentMs: number): boolean => changedMs < momentMs - tickMs;

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
