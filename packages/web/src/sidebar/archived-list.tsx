import { type ReactNode, useCallback, useEffect, useState } from "react";
import { type HubView, keyText, messageOf } from "../state/index.ts";
import { useActions, useStore } from "../state/react.tsx";
import { Button, Spinner } from "../ui/index.ts";
import { sidebarWords } from "../words/words.ts";
import { ThreadRow } from "./thread-row.tsx";

interface ArchivedListProps {
  readonly hub: HubView;
  /** True when the server's name is needed to tell it from others. */
  readonly named: boolean;
  readonly current: string | null;
  readonly nowMs: number;
}

/** The archived threads of one server, page by page. */
export function ArchivedList({ hub, named, current, nowMs }: ArchivedListProps): ReactNode {
  const { keys, next, loading, error, more } = useArchived(hub);
  const threads = useStore((state) => state.threads);
  const shown = keys.flatMap((key) => {
    const thread = threads.get(key);
    return thread?.archived === true ? [thread] : [];
  });
  return (
    <section aria-label={sidebarWords.archivedThreads(hub.name)}>
      {named && <p className="sidebar-heading">{hub.name}</p>}
      <ul className="sidebar-list">
        {shown.map((thread) => (
          <li key={keyText(thread.key)}>
            <ThreadRow thread={thread} current={keyText(thread.key) === current} nowMs={nowMs} />
          </li>
        ))}
      </ul>
      {error !== null && (
        <p className="sidebar-quiet" role="alert">
          {error}
        </p>
      )}
      {loading && <Spinner label={sidebarWords.loadingArchivedThreads} />}
      {!loading && error === null && shown.length === 0 && (
        <p className="sidebar-quiet">{sidebarWords.nothingArchivedArchiveThreadKeep}</p>
      )}
      {next !== null && !loading && (
        <Button size="small" variant="ghost" className="sidebar-more" onClick={more}>
          {sidebarWords.loadMore}
        </Button>
      )}
    </section>
  );
}

interface Archived {
  readonly keys: readonly string[];
  readonly next: string | null;
  readonly loading: boolean;
  readonly error: string | null;
}

function useArchived(hub: HubView): Archived & { readonly more: () => void } {
  const actions = useActions();
  const [state, setState] = useState<Archived>({ keys: [], next: null, loading: true, error: null });
  const ready = hub.state === "ready";
  const load = useCallback(
    async (cursor: string | null, isStale: () => boolean): Promise<void> => {
      setState((before) => ({ ...before, loading: true, error: null }));
      try {
        const page = await actions.listArchived(hub.id, cursor);
        if (isStale()) return;
        const keys = page.keys.map(keyText);
        setState((before) => ({
          keys: cursor === null ? keys : [...new Set([...before.keys, ...keys])],
          next: page.next,
          loading: false,
          error: null,
        }));
      } catch (error) {
        if (!isStale()) setState((before) => ({ ...before, loading: false, error: messageOf(error) }));
      }
    },
    [actions, hub.id],
  );
  useEffect(() => {
    let stale = false;
    if (ready) void load(null, () => stale);
    else setState((before) => ({ ...before, loading: false }));
    return () => {
      stale = true;
    };
  }, [load, ready]);
  return { ...state, more: () => void load(state.next, () => false) };
}
