import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { FoldContext, FoldStore } from "../items/folds.ts";
import type { PendingRequest, ThreadState } from "../state/model.ts";
import { Button } from "../ui/index.ts";
import { Announcer } from "./announcer.tsx";
import { RowBuilder } from "./rows.ts";
import { ThreadRow } from "./thread-row.tsx";
import { useFollow } from "./use-follow.ts";

/** Older turns are asked for when so few rows are left above. */
const rowsLeft = 10;

/** Props of {@link ThreadLog}. */
export interface ThreadLogProps {
  readonly thread: ThreadState;
  readonly renderRequest: (request: PendingRequest) => ReactNode;
  readonly onLoadOlder: () => void;
}

/**
 * The rows of a thread, of which those in sight are in the document. Opens at its end and follows it; keeps its place
 * when older turns are put before it or rows above change their height.
 */
export function ThreadLog({ thread, renderRequest, onLoadOlder }: ThreadLogProps) {
  const builder = useMemo(() => new RowBuilder(), []);
  const rows = builder.build(thread);
  const current = useRef(rows);
  current.current = rows;
  const scroller = useRef<HTMLDivElement>(null);
  const follow = useFollow(scroller);
  const { settle, pause } = follow;
  const folds = useMemo(() => new FoldStore(pause), [pause]);

  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => current.current[index]?.key ?? index, []),
    estimateSize: useCallback((index: number) => current.current[index]?.estimate ?? 0, []),
    overscan: 6,
    // The end; the browser makes of it what there is.
    initialOffset: 1e9,
    // Keeps the place when rows come before those in sight. Following is not left to it: a row that comes before the
    // last one would not be followed.
    anchorTo: "end",
    scrollEndThreshold: -1,
    directDomUpdates: true,
    onChange: settle,
  });
  useLayoutEffect(settle);

  const visible = virtualizer.getVirtualItems();
  const first = visible[0]?.index ?? 0;
  useLoadOlder({ thread, onLoadOlder, wanted: visible.length > 0 && first < rowsLeft });
  const unseen = useUnseen(thread, follow.following);
  return (
    <FoldContext value={folds}>
      <div
        ref={scroller}
        className="thread-scroller"
        role="log"
        aria-label="Conversation"
        aria-live="off"
        aria-busy={thread.activeTurn !== null}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={follow.onScroll}
      >
        <div ref={virtualizer.containerRef} className="thread-sheet">
          {visible.map(({ key, index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                data-row={row.kind}
                className={`thread-row thread-row-${row.kind}`}
              >
                <div className="thread-row-content">
                  <ThreadRow row={row} thread={thread} renderRequest={renderRequest} onLoadOlder={onLoadOlder} />
                </div>
              </div>
            );
          })}
        </div>
      </div>
      {!follow.following && (
        <div className="thread-jump">
          <Button size="small" icon={<ArrowDown size={14} />} onClick={follow.toEnd}>
            {unseen ? "New messages" : "Jump to the end"}
          </Button>
        </div>
      )}
      <Announcer thread={thread} />
    </FoldContext>
  );
}

interface LoadOlder {
  readonly thread: ThreadState;
  readonly onLoadOlder: () => void;
  readonly wanted: boolean;
}

/** Asks for older turns once for each cursor: after a failure the user can ask again by the button. */
function useLoadOlder({ thread: { olderCursor, loadingOlder }, onLoadOlder, wanted }: LoadOlder): void {
  const asked = useRef<string | null>(null);
  useEffect(() => {
    if (!wanted || olderCursor === null || loadingOlder || asked.current === olderCursor) return;
    asked.current = olderCursor;
    onLoadOlder();
  }, [wanted, olderCursor, loadingOlder, onLoadOlder]);
}

/** Whether something came since the log stopped following. */
function useUnseen({ turns, items }: ThreadState, following: boolean): boolean {
  const last = turns.at(-1);
  const lastItem = items.get(last?.itemIds.at(-1) ?? "");
  const seen = useRef<unknown>(undefined);
  const mark = lastItem ?? last;
  if (following || seen.current === undefined) seen.current = mark;
  return seen.current !== mark;
}
