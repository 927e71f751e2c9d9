import { uniqueId } from "../lib/unique-id.ts";
import { ConnectionFeed } from "../port/connection-feed.ts";
import type { ServerPort } from "../port/server-port.ts";

/** The changes since the last event that was read. */
export interface FileChanges {
  /** Absolute paths, each once. */
  readonly paths: readonly string[];
  /** True when more paths changed than are kept for a slow reader: look at everything anew. */
  readonly overflow: boolean;
}

/** Options of `fs.watch()`. */
export interface WatchOptions {
  /** Aborting ends the watch; the reader gets the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Paths kept for a reader that is slow. */
const maxPaths = 10_000;

/**
 * Changes below a path, as they happen. Changes that come while nobody reads are merged into one event.
 *
 * The watch begins at once and lasts until the reader stops (`break`, `return()`), the signal aborts, the connection
 * ends, or it is disposed of.
 */
export class FileWatch extends ConnectionFeed<FileChanges> {
  /** Resolves with the watched path, links resolved, once changes are seen. Rejects when it cannot be watched. */
  readonly ready: Promise<string>;
  readonly #port: ServerPort;
  #paths = new Set<string>();
  #overflow = false;
  #watchId: string = uniqueId("watch");
  #unwatches = false;

  /** @internal */
  constructor(port: ServerPort, path: string, { signal }: WatchOptions) {
    super(port, signal);
    this.#port = port;
    this.undo.push(
      port.onNotification("fs/changed", ({ watchId, changedPaths }) => {
        if (watchId === this.#watchId) this.#add(changedPaths);
      }),
      port.onReconnected(() => this.#restart(path)),
    );
    this.ready = this.#start(path, signal);
    this.ready.catch((error) => this.finish({ error }));
  }

  /** The watch ended with the old connection. What changed until now is not known, so all may have. */
  #restart(path: string): void {
    if (this.ended) return;
    this.#start(path, undefined).then(
      () => {
        this.#overflow = true;
        this.#add([path]);
      },
      (error) => this.finish({ error }),
    );
  }

  async #start(path: string, signal: AbortSignal | undefined): Promise<string> {
    signal?.throwIfAborted();
    const reply = await this.#port.request("fs/watch", { path, watchId: this.#watchId });
    // Codex 0.118 chooses the id itself.
    const { watchId } = reply as { readonly watchId?: string };
    if (watchId !== undefined) this.#watchId = watchId;
    if (this.#unwatches) return reply.path;
    this.#unwatches = true;
    const unwatch = () => {
      // The watch ends with its connection too, so a server that cannot be reached needs no telling.
      this.#port.request("fs/unwatch", { watchId: this.#watchId }).catch(() => undefined);
    };
    if (this.ended) unwatch();
    else this.undo.push(unwatch);
    return reply.path;
  }

  #add(paths: readonly string[]): void {
    for (const path of paths) {
      if (this.#paths.size < maxPaths) this.#paths.add(path);
      else if (!this.#paths.has(path)) this.#overflow = true;
    }
    this.wake();
  }

  protected override take(): FileChanges | undefined {
    if (this.#paths.size === 0) return undefined;
    const changes = { paths: [...this.#paths], overflow: this.#overflow };
    this.#paths = new Set();
    this.#overflow = false;
    return changes;
  }
}
