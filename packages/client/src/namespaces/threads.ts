import { type Call, caller, type List } from "../calls/call.ts";
import type { ServerPort } from "../port/server-port.ts";

/** The threads that the server knows. Called as a function it lists them: `for await (const t of codex.threads())`. */
export interface Threads extends List<"thread/list"> {
  /** Lists stored threads, newest first unless told otherwise. */
  readonly list: List<"thread/list">;
  /** Lists the ids of the threads in the server's memory. */
  readonly loaded: List<"thread/loaded/list">;
  /** Finds threads by what was said in them. */
  readonly search: List<"thread/search">;
  /** Finds every place in one thread where something was said. */
  readonly searchOccurrences: List<"thread/searchOccurrences">;
  /** Lists a thread's turns. */
  readonly turns: List<"thread/turns/list">;
  /** Lists a thread's items, of one turn or of all. */
  readonly items: List<"thread/items/list">;
  /** Reads a thread without loading it. */
  readonly read: Call<"thread/read">;
  /** Copies a thread, whole or up to a turn, into a new one. */
  readonly fork: Call<"thread/fork">;
  /** Gives a thread a name. */
  readonly rename: Call<"thread/name/set">;
  /** Changes what is stored about a thread, such as its git branch. */
  readonly updateMetadata: Call<"thread/metadata/update">;
  /** Puts a thread away. */
  readonly archive: Call<"thread/archive">;
  /** Takes an archived thread back. */
  readonly unarchive: Call<"thread/unarchive">;
  /** Deletes a thread for good. */
  readonly delete: Call<"thread/delete">;
  /** Starts a compaction of a thread's history; its turn reports the progress. */
  readonly compact: Call<"thread/compact/start">;
  /** Takes a thread back to an earlier turn. */
  readonly revert: Call<"thread/revert">;
  /** Adds items to what the model sees of a thread, without a turn. */
  readonly injectItems: Call<"thread/inject_items">;
  /** Ends this connection's interest in a thread. */
  readonly unsubscribe: Call<"thread/unsubscribe">;
}

/** The `threads` group of a server. */
export function threadsOf(port: ServerPort): Threads {
  const { call, list } = caller(port);
  const listThreads = list("thread/list");
  // A function of its own: `Object.assign` changes its target.
  const all: List<"thread/list"> = (...args) => listThreads(...args);
  return Object.assign(all, {
    list: listThreads,
    loaded: list("thread/loaded/list"),
    search: list("thread/search"),
    searchOccurrences: list("thread/searchOccurrences"),
    turns: list("thread/turns/list"),
    items: list("thread/items/list"),
    read: call("thread/read"),
    fork: call("thread/fork"),
    rename: call("thread/name/set"),
    updateMetadata: call("thread/metadata/update"),
    archive: call("thread/archive"),
    unarchive: call("thread/unarchive"),
    delete: call("thread/delete"),
    compact: call("thread/compact/start"),
    revert: call("thread/revert"),
    injectItems: call("thread/inject_items"),
    unsubscribe: call("thread/unsubscribe"),
  });
}
