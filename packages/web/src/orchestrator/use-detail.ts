import { useEffect, useState } from "react";
import type { OrchestratorApi } from "./api.ts";
import type { IssueDetail } from "./wire.ts";

/** One issue's details, or why there are none. */
export interface LoadedDetail {
  readonly detail: IssueDetail | null;
  readonly error: string | null;
  readonly loading: boolean;
}

/**
 * Loads an issue's details, and again whenever `version` is another. What was loaded stays until the next answer, unless
 * it is another issue's.
 */
export function useIssueDetail(api: OrchestratorApi, identifier: string, version: string): LoadedDetail {
  const [loaded, setLoaded] = useState<LoadedDetail & { readonly of: string }>({ ...nothing, of: identifier });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is the reason to ask again
  useEffect(() => {
    const ended = new AbortController();
    api.issue(identifier, ended.signal).then(
      (detail) => {
        const error = detail === null ? "The orchestrator knows nothing of this issue any more." : null;
        setLoaded({ detail, error, loading: false, of: identifier });
      },
      (reason: Error) => {
        if (!ended.signal.aborted) setLoaded({ detail: null, error: reason.message, loading: false, of: identifier });
      },
    );
    return () => ended.abort();
  }, [api, identifier, version]);
  return loaded.of === identifier ? loaded : nothing;
}

const nothing: LoadedDetail = { detail: null, error: null, loading: true };
