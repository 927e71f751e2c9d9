import type { FuzzyFileSearchResult } from "@quire/protocol";
import { Feed } from "../feed.ts";
import { onEnded } from "../on-ended.ts";
import type { CallOptions, ServerPort } from "../server-port.ts";
import { uniqueId } from "../unique-id.ts";

/** What was found so far for the newest query. */
export interface SearchResults {
  readonly query: string;
  /** Best first. */
  readonly files: readonly FuzzyFileSearchResult[];
  /** Whether this is all, until the query changes. */
  readonly complete: boolean;
}

/**
 * A file search that stays open while its user types. Iterating it gives the newest results; those that were replaced
 * before they were read, or belong to an older query, are skipped.
 *
 * It lasts until the reader stops, the signal aborts, the connection ends or `stop()` is called. Experimental.
 */
export class SearchSession implements AsyncIterableIterator<SearchResults, undefined>, AsyncDisposable {
  readonly #port: ServerPort;
  readonly #sessionId: string = uniqueId("search");
  readonly #feed: Feed<SearchResults>;
  #query: string | undefined;
  #latest: SearchResults | undefined;
  #unread = false;
  #stopped: Promise<void> | undefined;

  private constructor(port: ServerPort, signal: AbortSignal | undefined) {
    this.#port = port;
    const abort = () => this.#feed.fail(signal?.reason);
    const stops = [
      port.onNotification("fuzzyFileSearch/sessionUpdated", ({ sessionId, query, files }) => {
        if (sessionId === this.#sessionId && query === this.#query) this.#show({ query, files, complete: false });
      }),
      port.onNotification("fuzzyFileSearch/sessionCompleted", ({ sessionId }) => {
        if (sessionId === this.#sessionId && this.#latest) this.#show({ ...this.#latest, complete: true });
      }),
      onEnded(port, (error) => this.#feed.fail(error)),
      () => signal?.removeEventListener("abort", abort),
    ];
    this.#feed = new Feed(
      () => this.#take(),
      () => {
        for (const stop of stops) stop();
        this.#stopped ??= this.#end();
      },
    );
    signal?.addEventListener("abort", abort, { once: true });
  }

  /** @internal Use `search.session()`. */
  static async start(port: ServerPort, roots: readonly string[], options: CallOptions = {}): Promise<SearchSession> {
    options.signal?.throwIfAborted();
    const session = new SearchSession(port, options.signal);
    try {
      const params = { sessionId: session.#sessionId, roots: [...roots] };
      await port.request("fuzzyFileSearch/sessionStart", params, options);
    } catch (error) {
      session.#stopped = Promise.resolve();
      await session.return();
      throw error;
    }
    return session;
  }

  /** Changes what is searched for. Results follow through the iterator. */
  async query(query: string, options?: CallOptions): Promise<void> {
    this.#query = query;
    this.#latest = undefined;
    this.#unread = false;
    await this.#port.request("fuzzyFileSearch/sessionUpdate", { sessionId: this.#sessionId, query }, options);
  }

  /** Ends the search, on the server too. */
  async stop(): Promise<void> {
    await this.#feed.return();
    await this.#stopped;
  }

  next(): Promise<IteratorResult<SearchResults, undefined>> {
    return this.#feed.next();
  }

  return(): Promise<IteratorResult<SearchResults, undefined>> {
    return this.#feed.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #show(results: SearchResults): void {
    this.#latest = results;
    this.#unread = true;
    this.#feed.wake();
  }

  #take(): SearchResults | undefined {
    if (!this.#unread) return undefined;
    this.#unread = false;
    return this.#latest;
  }

  async #end(): Promise<void> {
    // It ends with its connection too, so a server that cannot be reached needs no telling.
    await this.#port.request("fuzzyFileSearch/sessionStop", { sessionId: this.#sessionId }).catch(() => undefined);
  }
}
