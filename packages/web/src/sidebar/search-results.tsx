import { type ReactNode, useEffect, useState } from "react";
import { keyText, messageOf, type SearchHit } from "../state/index.ts";
import { useActions, useStore } from "../state/react.tsx";
import { Spinner } from "../ui/index.ts";
import { sidebarWords } from "../words/words.ts";
import { ThreadRow } from "./thread-row.tsx";

/** Long enough for a word to be typed. */
const pauseMs = 180;

interface SearchResultsProps {
  readonly term: string;
  readonly current: string | null;
  readonly nowMs: number;
}

/** Results of a search over the threads of all servers. */
export function SearchResults({ term, current, nowMs }: SearchResultsProps): ReactNode {
  const { hits, error } = useSearch(term);
  const threads = useStore((state) => state.threads);
  if (error !== null) {
    return (
      <p className="sidebar-quiet" role="alert">
        {sidebarWords.searchFailed} {error}
      </p>
    );
  }
  if (hits === null) return <Spinner label={sidebarWords.searching} />;
  if (hits.length === 0) {
    return (
      <p className="sidebar-quiet" role="status">
        {sidebarWords.nothingFound}
        {term}”.
      </p>
    );
  }
  return (
    <ul className="sidebar-list" aria-label={sidebarWords.searchResults}>
      {hits.map(({ key, snippet }) => {
        const thread = threads.get(keyText(key));
        return thread === undefined ? null : (
          <li key={keyText(key)}>
            <ThreadRow thread={thread} current={keyText(key) === current} nowMs={nowMs} snippet={snippet} />
          </li>
        );
      })}
    </ul>
  );
}

interface Search {
  readonly term: string;
  readonly hits: readonly SearchHit[] | null;
  readonly error: string | null;
}

/** The newest answer to the newest term; an answer that comes late is dropped. */
function useSearch(term: string): Search {
  const actions = useActions();
  const [search, setSearch] = useState<Search>({ term, hits: null, error: null });
  useEffect(() => {
    const abort = new AbortController();
    const run = async (): Promise<void> => {
      try {
        const hits = await actions.searchThreads(term, abort.signal);
        if (!abort.signal.aborted) setSearch({ term, hits, error: null });
      } catch (error) {
        if (!abort.signal.aborted) setSearch({ term, hits: null, error: messageOf(error) });
      }
    };
    const timer = setTimeout(() => void run(), pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort(new Error(sidebarWords.anotherSearchBegan));
    };
  }, [actions, term]);
  return search;
}
