import type { FuzzyFileSearchResult } from "@quire/protocol";
import { uniqueId } from "../lib/unique-id.ts";
import { ConnectionFeed } from "../port/connection-feed.ts";
import type { CallOptions, ServerPort } from "../port/server-port.ts";

/** The results so far for the newest query. */
export interface SearchResults {
  readonly query: string;
  /** Best first. */
  readonly files: readonly FuzzyFileSearchResult[];
  /** True when the server says that it is through. Right after the start it may say so too early: more can follow. */
  readonly complete: boolean;
}

/**
 * A file search that stays open while its user types. Iterating it gives the newest results; those that were replaced
 * before they were read, or belong to an older query, are skipped.
 *
 * It lasts until the reader stops, the signal aborts, the connection ends or `stop()` is called. Experimental.
 */
export class SearchSession extends ConnectionFeed<SearchResults> {
  readonly #port: ServerPort;
  readonly #sessionId: string = uniqueId("search");
  #query: string | undefined;
  #latest: SearchResults | undefined;
  #unread = false;
  #complete = false;
  #stopped: Promise<unknown> | undefined;

  private constructor(port: ServerPort, signal: AbortSignal | undefined) {
    super(port, signal);
    this.#port = port;
    this.undo.push(
      port.onNotification("fuzzyFileSearch/sessionUpdated", ({ sessionId, query, files }) => {
        if (sessionId === this.#sessionId && query === this.#query)
          this.#show({ query, files, complete: this.#complete });
      }),
      port.onNotification("fuzzyFileSearch/sessionCompleted", ({ sessionId }) => {
        if (sessionId !== this.#sessionId) return;
        // Now and then it overtakes the results that it belongs to, which are then complete when they come.
        this.#complete = true;
        if (this.#latest) this.#show({ ...this.#latest, complete: true });
      }),
    );
  }

  /** @internal Use `search.session()`. */
  static async start(port: ServerPort, roots: readonly string[], options: CallOptions = {}): Promise<SearchSession> {
    options.signal?.throwIfAborted();
    const session = new SearchSession(port, options.signal);
    const sessionId = session.#sessionId;
    try {
      await port.request("fuzzyFileSearch/sessionStart", { sessionId, roots: [...roots] }, options);
    } catch (error) {
      session.finish();
      throw error;
    }
    session.undo.push(
      port.onReconnected(() => void session.#restart(roots)),
      () => {
        // It ends with its connection too, so a server that cannot be reached needs no telling.
        session.#stopped = port.request("fuzzyFileSearch/sessionStop", { sessionId }).catch(() => undefined);
      },
    );
    return session;
  }

  /** Changes what is searched for. Results follow through the iterator. */
  async query(query: string, options?: CallOptions): Promise<void> {
    this.#query = query;
    this.#latest = undefined;
    this.#unread = false;
    this.#complete = false;
    await this.#port.request("fuzzyFileSearch/sessionUpdate", { sessionId: this.#sessionId, query }, options);
  }

  /** The search ended with the old connection; the newest query is asked again. */
  async #restart(roots: readonly string[]): Promise<void> {
    if (this.ended) return;
    try {
      await this.#port.request("fuzzyFileSearch/sessionStart", { sessionId: this.#sessionId, roots: [...roots] });
      if (this.#query !== undefined) await this.query(this.#query);
    } catch (error) {
      this.finish({ error });
    }
  }

  /** Ends the search, on the server too. */
  async stop(): Promise<void> {
    await this.return();
    await this.#stopped;
  }

  #show(results: SearchResults): void {
    this.#latest = results;
    this.#unread = true;
    this.wake();
  }

  protected override take(): SearchResults | undefined {
    if (!this.#unread) return undefined;
    this.#unread = false;
    return this.#latest;
  }
}
