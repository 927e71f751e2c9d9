import { useEffect, useRef, useState } from "react";
import { boardWords } from "../words/words.ts";
import type { OrchestratorApi } from "./api.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import type { IssueDetail } from "./wire.ts";

/** An issue's details, or the reason why there are none. */
export interface LoadedDetail {
  readonly detail: IssueDetail | null;
  readonly error: string | null;
  readonly loading: boolean;
}

/**
 * Loads an issue's details, and again whenever `version` is another. What was loaded stays until the next answer, unless
 * it is another issue's. A new version waits for the answer that is under way: where versions come faster than answers,
 * there would be none otherwise.
 */
export function useIssueDetail(api: OrchestratorApi, identifier: string, version: string): LoadedDetail {
  const [loaded, setLoaded] = useState<LoadedDetail & { readonly of: string }>({ ...nothing, of: identifier });
  const load = useRef<() => void>(undefined);
  useEffect(() => {
    const ended = new AbortController();
    load.current = oneAtATime(async () => {
      const answer = await detailOf(api, identifier, ended.signal);
      if (!ended.signal.aborted) setLoaded({ ...answer, of: identifier });
    });
    return () => ended.abort();
  }, [api, identifier]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is the reason to ask again
  useEffect(() => load.current?.(), [api, identifier, version]);
  return loaded.of === identifier ? loaded : nothing;
}

async function detailOf(api: OrchestratorApi, identifier: string, signal: AbortSignal): Promise<LoadedDetail> {
  try {
    const detail = await api.issue(identifier, signal);
    const error = detail === null ? boardWords.gone : null;
    return { detail, error, loading: false };
  } catch (reason) {
    return { detail: null, error: (reason as Error).message, loading: false };
  }
}

const nothing: LoadedDetail = { detail: null, error: null, loading: true };
