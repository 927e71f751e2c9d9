import type { FuzzyFileSearchParams, FuzzyFileSearchResult } from "@quire/protocol";
import { onAbort } from "../lib/on-abort.ts";
import { uniqueId } from "../lib/unique-id.ts";
import type { CallOptions, ServerPort } from "../port/server-port.ts";
import type { SearchSession } from "./search-session.ts";

/** Finding files by parts of their names. */
export interface Search {
  /**
   * Finds files once, best match first. A later search with the same `cancellationToken` makes the server give up this
   * one, which then finds nothing; so does aborting the signal, which rejects with its reason.
   */
  files(params: FuzzyFileSearchParams, options?: CallOptions): Promise<FuzzyFileSearchResult[]>;
  /** Opens a search whose query can change. Experimental. */
  session(params: { readonly roots: readonly string[] }, options?: CallOptions): Promise<SearchSession>;
}

/** The `search` group of a server. */
export function searchOf(port: ServerPort): Search {
  return {
    files: (params, options) => files(port, params, options),
    session: async ({ roots }, options) => {
      const { SearchSession } = await import("./search-session.ts");
      return SearchSession.start(port, roots, options);
    },
  };
}

async function files(
  port: ServerPort,
  params: FuzzyFileSearchParams,
  options: CallOptions = {},
): Promise<FuzzyFileSearchResult[]> {
  const { signal } = options;
  const cancellationToken = params.cancellationToken ?? (signal && uniqueId("search"));
  const cancel = () => {
    // The protocol has no other word for it than a next search with the same token.
    port.request("fuzzyFileSearch", { query: "", roots: [], cancellationToken }).catch(() => undefined);
  };
  const found = port.request("fuzzyFileSearch", { ...params, cancellationToken }, options);
  const forget = signal && onAbort(signal, cancel);
  try {
    return (await found).files;
  } finally {
    forget?.();
  }
}
