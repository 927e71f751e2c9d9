import type { Subject } from "../server/subject.ts";
import { median } from "../stats.ts";
import { singles, typed } from "./sizes.ts";

/** Times of one server, in ms. */
export interface Sample {
  /** From the start of a search to the first files of a query. */
  readonly firstMs: number;
  /** From there on, until all files are read and matched. */
  readonly completeMs: number;
  /** From a keystroke to the files of its query; the median, and the longest. */
  readonly keystrokeMs: number;
  readonly slowestMs: number;
  /** A single search, with nothing prepared. */
  readonly singleMs: number;
  /** Memory of the server with the search open. */
  readonly residentMb: number;
}

interface Update {
  readonly sessionId: string;
  readonly query: string;
  readonly files: readonly unknown[];
}

/** Searches a tree as a user would who types. */
export async function measure(subject: Subject, root: string): Promise<Sample> {
  const sessionId = "bench";
  // What a server loads for the first request of all is measured elsewhere.
  await subject.request("fuzzyFileSearch", { query: "", roots: [root] });
  const began = performance.now();
  const first = subject.nextNotification<Update>(
    "fuzzyFileSearch/sessionUpdated",
    ({ query, files }) => query === "bu" && files.length > 0,
  );
  await subject.request("fuzzyFileSearch/sessionStart", { sessionId, roots: [root] });
  await subject.request("fuzzyFileSearch/sessionUpdate", { sessionId, query: "bu" });
  await first;
  const firstMs = performance.now() - began;
  await settled(subject, sessionId);
  const completeMs = performance.now() - began;
  const times: number[] = [];
  for (const word of typed) {
    for (let length = 1; length <= word.length; length++)
      times.push(await keystroke(subject, sessionId, word.slice(0, length)));
  }
  const residentMb = subject.residentMb;
  await subject.request("fuzzyFileSearch/sessionStop", { sessionId });
  const single: number[] = [];
  for (let round = 0; round < singles; round++) {
    const start = performance.now();
    await subject.request("fuzzyFileSearch", { query: "renderToken", roots: [root] });
    single.push(performance.now() - start);
  }
  return {
    firstMs,
    completeMs,
    keystrokeMs: median(times),
    slowestMs: Math.max(...times),
    singleMs: median(single),
    residentMb,
  };
}

/** Waits until all files are read: only then a query is completed. */
async function settled(subject: Subject, sessionId: string): Promise<void> {
  const query = "no such file at all";
  const answer = subject.nextNotification<Update>("fuzzyFileSearch/sessionUpdated", (update) => update.query === query);
  const done = subject.nextNotification<{ sessionId: string }>("fuzzyFileSearch/sessionCompleted", () => true);
  await subject.request("fuzzyFileSearch/sessionUpdate", { sessionId, query });
  await Promise.all([answer, done]);
}

async function keystroke(subject: Subject, sessionId: string, query: string): Promise<number> {
  const began = performance.now();
  const answer = subject.nextNotification<Update>("fuzzyFileSearch/sessionUpdated", (update) => update.query === query);
  await subject.request("fuzzyFileSearch/sessionUpdate", { sessionId, query });
  await answer;
  return performance.now() - began;
}
