import type { FuzzyFileSearchResult } from "@quire/protocol";
import { IgnoreRules, maxWork } from "./ignore-rules.ts";
import { Matcher } from "./matcher.ts";
import { PathIndex } from "./path-index.ts";
import { walk } from "./walk.ts";

/**
 * Paths read when a search is opened. The rest waits for the first query, or a while: typing users are answered first.
 */
const headStart = 256;
const headStartMs = 20;
/** Interval between updates of a running search. */
const gapMs = 50;
/** A slower query is answered with the matches so far. */
const patienceMs = 16;

/** The reason why a query ends early: a constant, since creating an error is slow. */
const replaced = "replaced";

type Env = Readonly<Record<string, string | undefined>>;

/** Receives the results of a search, each with its query. */
export interface SearchListener {
  onUpdate(query: string, files: FuzzyFileSearchResult[]): void;
  onComplete(query: string): void;
}

/** A search while a user types. Folders are read once; a new query replaces the one before. Lives until closed. */
export class Search {
  readonly #index = new PathIndex();
  readonly #matcher = new Matcher(this.#index);
  readonly #listener: SearchListener;
  readonly #life = new AbortController();
  readonly #read = Promise.withResolvers<void>();
  readonly #resume = Promise.withResolvers<void>();
  readonly #timer: ReturnType<typeof setTimeout>;
  #isRead = false;
  /** Set while a query has no results yet. */
  #onMore: (() => void) | undefined;
  #current = new AbortController();
  /** A query waits until the one before has stopped: they share the matcher. */
  #stopped: Promise<void> = Promise.resolve();

  constructor(roots: readonly string[], env: Env, listener: SearchListener) {
    this.#listener = listener;
    this.#timer = setTimeout(this.#resume.resolve, headStartMs);
    // Replies to the caller first.
    setImmediate(() => void this.#readAll(roots, env));
  }

  /** Searches for something else. Settles when everything is reported or the query is replaced. */
  async find(query: string): Promise<void> {
    if (query !== "") this.#resume.resolve();
    this.#current.abort(replaced);
    this.#current = new AbortController();
    const { signal } = this.#current;
    const run = this.#stopped.then(() => this.#run(query, signal));
    this.#stopped = run;
    await run;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#resume.resolve();
    this.#life.abort(replaced);
    this.#current.abort(replaced);
  }

  async #readAll(roots: readonly string[], env: Env): Promise<void> {
    const { signal } = this.#life;
    const rest = { after: headStart, until: this.#resume.promise };
    const options = { index: this.#index, env, signal, rest, onMore: () => this.#reportMore() };
    await Promise.all(roots.map((root) => walk(root, options)));
    this.#isRead = true;
    this.#read.resolve();
  }

  async #run(query: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    if (query === "") {
      // Matches nothing; only reports when everything was read.
      while (!this.#isRead && !signal.aborted) await this.#more(signal, true);
      if (!signal.aborted) this.#complete(query, []);
      return;
    }
    this.#matcher.query = query;
    let reported = -1;
    let reportBy = this.#isRead ? performance.now() + patienceMs : 0;
    for (;;) {
      const isRead = this.#isRead;
      if (!(await this.#matcher.run(signal, reportBy))) return;
      const files = this.#matcher.results();
      if (files.length > 0) reportBy = performance.now() + gapMs;
      if (isRead && this.#matcher.done) {
        this.#complete(query, files);
        return;
      }
      if (files.length > 0 && files.length !== reported) this.#listener.onUpdate(query, files);
      reported = files.length;
      if (this.#matcher.done) await this.#more(signal, files.length > 0);
      if (signal.aborted) return;
    }
  }

  #complete(query: string, files: FuzzyFileSearchResult[]): void {
    this.#listener.onUpdate(query, files);
    this.#listener.onComplete(query);
  }

  #reportMore(): boolean {
    this.#onMore?.();
    return this.#onMore !== undefined;
  }

  /** Waits for more paths: for a while, so that the next results are worth reporting, or only until there are any. */
  async #more(signal: AbortSignal, aWhile: boolean): Promise<void> {
    const waited = Promise.withResolvers<void>();
    const timer = aWhile ? setTimeout(waited.resolve, gapMs) : undefined;
    this.#onMore = aWhile ? undefined : waited.resolve;
    signal.addEventListener("abort", () => waited.resolve(), { once: true });
    await Promise.race([waited.promise, this.#read.promise]);
    this.#onMore = undefined;
    clearTimeout(timer);
  }
}

/** Searches this file's folder once, since the first run of all code is many times slower. */
async function warmUp(): Promise<void> {
  const index = new PathIndex();
  const matcher = new Matcher(index);
  const life = new AbortController();
  const onMore = () => {
    life.abort(replaced);
    return false;
  };
  await walk(import.meta.dirname, { index, env: {}, signal: life.signal, onMore });
  new IgnoreRules("a/\n*.b\n").within("")?.judge("c", true, { left: maxWork });
  matcher.query = "s";
  await matcher.run(new AbortController().signal);
  matcher.results();
}

// Runs while the module loads: a user who opens a search waits for the first files.
await warmUp();

/** Runs one search to its end. */
export async function searchOnce(
  roots: readonly string[],
  query: string,
  { env, signal }: { readonly env: Env; readonly signal: AbortSignal },
): Promise<FuzzyFileSearchResult[]> {
  const index = new PathIndex();
  const matcher = new Matcher(index);
  matcher.query = query;
  await Promise.all(roots.map((root) => walk(root, { index, env, signal })));
  await matcher.run(signal);
  return signal.aborted ? [] : matcher.results();
}
