import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { AgentError } from "../lib/agent-error.ts";
import { isPlainObject } from "../lib/frozen-copy.ts";
import { TaskQueue } from "../session/task-queue.ts";
import { checkKey, newVersion, type Store, StoreConflictError, type StoredText } from "./store.ts";

/** A file's content. */
interface KeptText extends StoredText {
  readonly key: string;
}

const ending = ".json";

/**
 * A store in a folder, with one file a key, readable by you only. A crash leaves the old text or the new one. One process
 * at a time may write: for several, use SQLite or PostgreSQL.
 */
export function fileStore(folder: string): Store {
  const root = resolve(folder);
  const changes = new TaskQueue();
  const read = async (key: string): Promise<StoredText | undefined> => {
    const kept = await readKept(pathOf(root, key));
    return kept && { text: kept.text, version: kept.version };
  };
  return {
    read,
    write: (key, text, { expected } = {}) =>
      changes.run(async () => {
        const path = pathOf(root, key);
        if (expected !== undefined && ((await read(key))?.version ?? null) !== expected)
          throw new StoreConflictError(key);
        const version = newVersion();
        await mkdir(root, { recursive: true, mode: 0o700 });
        await replace(path, JSON.stringify({ key, version, text } satisfies KeptText));
        return version;
      }),
    delete: (key) => changes.run(() => rm(pathOf(root, key), { force: true })),
    keys: async (prefix = "") => {
      const files = (await list(root)).filter((name) => name.endsWith(ending));
      const kept = await Promise.all(files.map((name) => readKept(join(root, name))));
      return kept.flatMap((each) => (each?.key.startsWith(prefix) ? [each.key] : [])).sort();
    },
  };
}

/** The file of a key: its readable part and a hash, so that no key leads out of the folder or meets another one. */
function pathOf(root: string, key: string): string {
  checkKey(key);
  const readable = key.replace(/[^a-z0-9_-]+/gi, "-").slice(0, 60);
  const hash = createHash("sha256").update(key).digest("hex").slice(0, 32);
  return join(root, `${readable}-${hash}${ending}`);
}

async function readKept(path: string): Promise<KeptText | undefined> {
  let content: string;
  try {
    content = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const kept = parsed(content);
  if (kept === undefined) throw new AgentError(`${path} is damaged: restore it, or delete it to begin anew`);
  return kept;
}

function parsed(content: string): KeptText | undefined {
  try {
    const value: unknown = JSON.parse(content);
    if (!isPlainObject(value)) return undefined;
    const { key, text, version } = value;
    const isWhole = typeof key === "string" && typeof text === "string" && typeof version === "string";
    return isWhole ? { key, text, version } : undefined;
  } catch {
    return undefined;
  }
}

async function replace(path: string, content: string): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
