import type { Client } from "../context/client.ts";
import { service } from "../context/services.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { PathWatch } from "./path-watch.ts";

/** Watches of one client. One more is refused. */
const maxWatches = 1024;

const gatherMs = 200;

/** Paths in one notification. Beyond this, the watched path stands for all. */
const maxPaths = 4096;

/** The watches of one connection, by name. They end with it. */
class Watches {
  readonly #connection: Client;
  readonly #watches = new Map<string, Gathering>();

  constructor(connection: Client) {
    this.#connection = connection;
    connection.onEnd(() => {
      for (const watch of this.#watches.values()) watch.close();
      this.#watches.clear();
    });
  }

  add(watchId: string, path: string): void {
    if (this.#watches.has(watchId)) throw invalidRequest(`watchId already exists: ${watchId}`);
    if (this.#watches.size >= maxWatches)
      throw invalidRequest(`${maxWatches} watches are set: end some with fs/unwatch`);
    const tell = (changedPaths: string[]) => this.#connection.notify("fs/changed", { watchId, changedPaths });
    this.#watches.set(watchId, new Gathering(path, tell));
  }

  /** An unknown watch has ended before. */
  remove(watchId: string): void {
    this.#watches.get(watchId)?.close();
    this.#watches.delete(watchId);
  }
}

/** A watch that reports changes together. */
class Gathering {
  readonly #watch: PathWatch;
  readonly #path: string;
  readonly #tell: (paths: string[]) => void;
  #changed = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(path: string, tell: (paths: string[]) => void) {
    this.#path = path;
    this.#tell = tell;
    this.#watch = new PathWatch(path, (changed) => this.#note(changed));
  }

  close(): void {
    this.#watch.close();
    clearTimeout(this.#timer);
  }

  #note(path: string): void {
    if (this.#changed.size <= maxPaths) this.#changed.add(path);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const paths = this.#changed.size > maxPaths ? [this.#path] : [...this.#changed].sort();
      this.#changed = new Set();
      this.#tell(paths);
    }, gatherMs);
  }
}

const watches = service((connection: Client) => new Watches(connection));

/** A connection's watches. */
export const watchesOf = (connection: Client): Watches => connection.services.get(watches);
