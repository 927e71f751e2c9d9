import type { FuzzyFileSearchResult } from "@quire/protocol";
import { Matcher } from "./matcher.ts";
import { PathIndex } from "./path-index.ts";
import { walk } from "./walk.ts";

/**
 * When a search is opened, this much is read at once, and the rest from the first query on, or after this long: who opens
 * a search begins to type, and is answered first.
 */
const headStart = 256;
const headStartMs = 20;
/** Results of a search that goes on are told this far apart. */
const gapMs = 50;
/** A query that takes longer is answered with what was found by then. */
const patienceMs = 16;
/** While nothing was found yet, it is looked again after this long. */
const eagerMs = 1;

type Env = Readonly<Record<string, string | undefined>>;

/** Who hears of a search, each with the query that is meant. */
export interface SearchListener {
  /** The best by now. */
  onUpdate(query: string, files: FuzzyFileSearchResult[]): void;
  /** All there is was looked at. */
  onComplete(query: string): void;
}

/**
 * A search while someone types. Folders are read once; queries are answered with what was read, and
 * again as more is. A new query ends the one before. Lives until it is closed.
 */
export class Search {
  readonly #index = new PathIndex();
  readonly #matcher = new Matcher(this.#index);
  readonly #listener: SearchListener;
  readonly #life = new AbortController();
  readonly #read = Promise.withResolvers<void>();
  readonly #goOn = Promise.withResolvers<void>();
  readonly #timer: ReturnType<typeof setTimeout>;
  #isRead = false;
  #current = new AbortController();
  /** A query waits for the one before to have stopped: they share what is remembered. */
  #stopped: Promise<void> = Promise.resolve();

  constructor(roots: readonly string[], env: Env, listener: SearchListener) {
    this.#listener = listener;
    this.#timer = setTimeout(this.#goOn.resolve, headStartMs);
    const { signal } = this.#life;
    const rest = { after: headStart, until: this.#goOn.promise };
    void Promise.all(roots.map((root) => walk(root, { index: this.#index, env, signal, rest }))).then(() => {
      this.#isRead = true;
      this.#read.resolve();
    });
  }

  /** Searches for something else from now on. Settles when all was told, or the query was replaced. */
  async find(query: string): Promise<void> {
    if (query === "") warmUp();
    else this.#goOn.resolve();
    this.#current.abort();
    this.#current = new AbortController();
    const { signal } = this.#current;
    const run = this.#stopped.then(() => this.#run(query, signal));
    this.#stopped = run;
    await run;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#goOn.resolve();
    this.#life.abort();
    this.#current.abort();
  }

  async #run(query: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#matcher.query = query;
    let told = -1;
    let tellBy = this.#isRead ? performance.now() + patienceMs : 0;
    for (;;) {
      const isRead = this.#isRead;
      if (!(await this.#matcher.run(signal, tellBy))) return;
      const files = this.#matcher.results();
      if (files.length > 0) tellBy = performance.now() + gapMs;
      if (isRead && this.#matcher.done) {
        this.#listener.onUpdate(query, files);
        this.#listener.onComplete(query);
        return;
      }
      if (files.length > 0 && files.length !== told) this.#listener.onUpdate(query, files);
      told = files.length;
      if (this.#matcher.done) await this.#more(signal, files.length > 0 ? gapMs : eagerMs);
      if (signal.aborted) return;
    }
  }

  /** Waits until more was read. */
  async #more(signal: AbortSignal, ms: number): Promise<void> {
    const waited = Promise.withResolvers<void>();
    const timer = setTimeout(waited.resolve, ms);
    signal.addEventListener("abort", () => waited.resolve(), { once: true });
    await Promise.race([waited.promise, this.#read.promise]);
    clearTimeout(timer);
  }
}

let isWarm = false;

/** Has all that a query runs through loaded before someone waits for it: the first time takes many times as long. */
function warmUp(): void {
  if (isWarm) return;
  isWarm = true;
  const index = new PathIndex();
  const matcher = new Matcher(index);
  for (let path = 0; path < 64; path++) index.add("/", "some/folder/", `index${path}.ts`, false);
  matcher.query = "in";
  void matcher.run(new AbortController().signal).then(() => matcher.results());
}

/** One search to its end. */
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
