import { type Call, caller, type List } from "../calls/call.ts";
import type { ServerPort } from "../port/server-port.ts";

/** Stored threads. Whatever is done to one thread is a method of its handle: `codex.handle(id).archive()`. */
export interface Threads {
  /** Lists stored threads, newest first by default. */
  readonly list: List<"thread/list">;
  /** Lists the ids of the threads in the server's memory. */
  readonly loaded: List<"thread/loaded/list">;
  /** Finds threads by their text. */
  readonly search: List<"thread/search">;
  /** Finds every match of a text in one thread. */
  readonly searchOccurrences: List<"thread/searchOccurrences">;
  /** Changes stored facts about a thread, such as its git branch. */
  readonly updateMetadata: Call<"thread/metadata/update">;
  /** Restores an archived thread. */
  readonly unarchive: Call<"thread/unarchive">;
  /** Deletes a thread for good. */
  readonly delete: Call<"thread/delete">;
}

/** The `threads` group of a server. */
export function threadsOf(port: ServerPort): Threads {
  const { call, list } = caller(port);
  return {
    list: list("thread/list"),
    loaded: list("thread/loaded/list"),
    search: list("thread/search"),
    searchOccurrences: list("thread/searchOccurrences"),
    updateMetadata: call("thread/metadata/update"),
    unarchive: call("thread/unarchive"),
    delete: call("thread/delete"),
  };
}
