import type { BigIntStats } from "node:fs";
import { lstat, mkdir, mkdtemp, open, readdir, readlink, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { AgentError } from "../lib/agent-error.ts";
import { copyFile as copyExactly, pump } from "./copy-file.ts";
import { inFolder, removeIn } from "./held-folder.ts";
import { openExact } from "./open-exact.ts";
import { WorkspaceSecurityError } from "./workspace-error.ts";

/** Snapshots that can still be restored; older ones are forgotten, and their copies removed. */
const mostSnapshots = 8;
/** Files changed this shortly before a snapshot may change again within the same tick of the file system's clock. */
const tickMs = 50;

interface Entry {
  readonly kind: "file" | "folder" | "link";
  /** The stamp that changes with the file. */
  readonly stamp: string;
  readonly changedMs: number;
  /** The target of a link. */
  readonly target?: string;
  /** The copy of a file. */
  readonly copy?: Copy;
}

interface Copy {
  readonly name: string;
  /** The stamp that changes with the copy. */
  readonly stamp: string;
}

interface Manifest {
  readonly takenMs: number;
  readonly entries: ReadonlyMap<string, Entry>;
}

/**
 * Remembers the state of a folder. Files are copied to a place of its own when they have changed since the snapshot
 * before; all files, whatever the folder's own ignore rules say. Links are kept as links and never followed. The place lies
 * among temporary files, where commands of the model can write too: a copy that was changed or replaced is not restored.
 */
export class SnapshotStore {
  readonly #folder: string;
  #copies: Promise<string> | undefined;
  readonly #kept = new Map<number, Manifest>();
  #count = 0;
  #files = 0;

  /** @param folder With all links resolved. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Removes all copies. Nothing can be restored afterwards. */
  async dispose(): Promise<void> {
    const copies = await this.#copies?.catch(() => undefined);
    if (copies !== undefined) await rm(copies, { recursive: true, force: true });
  }

  /** Takes a snapshot and gives its number. */
  async take(): Promise<number> {
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
        await this.#at(path, (held, name) => removeIn(held, name));
        now.delete(path);
      }
    }
    for (const [path, entry] of manifest.entries) {
      if (now.has(path)) continue;
      await this.#at(path, async (held, name) => {
        const target = join(held, name);
        // A pipe or socket, or what came meanwhile.
        await removeIn(held, name);
        if (entry.kind === "folder") await mkdir(target);
        else if (entry.kind === "link") await symlink(entry.target ?? "", target);
        else if (entry.copy) await this.#putBack(entry.copy, target, path);
      });
    }
  }

  /** Works in the folder that a path of the workspace lies in, which no link can take the place of meanwhile. */
  #at(path: string, work: (held: string, name: string) => Promise<void>): Promise<void> {
    const full = join(this.#folder, path);
    return inFolder(dirname(full), path, (held) => work(held, basename(full)));
  }

  async #putBack({ name, stamp }: Copy, target: string, path: string): Promise<void> {
    const source = await openExact(join(await this.#place(), name), path);
    try {
      const facts = await source.stat({ bigint: true });
      if (stampOf(facts) !== stamp) throw new WorkspaceSecurityError(`The copy of ${path} was changed meanwhile`);
      const file = await open(target, "wx", Number(facts.mode & 0o777n));
      try {
        await pump(source, file);
      } finally {
        await file.close();
      }
    } finally {
      await source.close();
    }
  }

  /** A folder of its own, under a name that nobody could know before. */
  #place(): Promise<string> {
    this.#copies ??= mkdtemp(`${this.#folder}.snapshots-`);
    return this.#copies;
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
    return { kind: "file", stamp: stampOf(info), changedMs };
  }

  /** Undefined for a file that has gone meanwhile. */
  async #copy(path: string, entry: Entry): Promise<Entry | undefined> {
    const name = String(++this.#files);
    const source = join(this.#folder, path);
    const target = join(await this.#place(), name);
    try {
      await copyExactly({ path, source, expected: source, size: 0 }, target, () => undefined);
    } catch (error) {
      if (await isThere(source)) throw error;
      return undefined;
    }
    return { ...entry, copy: { name, stamp: stampOf(await lstat(target, { bigint: true })) } };
  }

  async #forget(): Promise<void> {
    const oldest = this.#kept.get(this.#count - mostSnapshots);
    if (!oldest) return;
    this.#kept.delete(this.#count - mostSnapshots);
    const used = new Set(
      [...this.#kept.values()].flatMap(({ entries }) => [...entries.values()].map(({ copy }) => copy?.name)),
    );
    for (const { copy } of oldest.entries.values()) {
      if (copy !== undefined && !used.has(copy.name)) await rm(join(await this.#place(), copy.name), { force: true });
    }
  }
}

/** Tells whether a file was last changed long enough before a moment that a later change would show. */
const isSettled = ({ changedMs }: Entry, momentMs: number): boolean => changedMs < momentMs - tickMs;

/** A stamp that changes when a file is written, replaced or given other rights; no program can set its last part. */
const stampOf = ({ ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string =>
  `${ino} ${size} ${mode} ${mtimeNs} ${ctimeNs}`;

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
