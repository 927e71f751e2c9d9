import { elementScroll, useVirtualizer, type VirtualItem, type Virtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { PendingRequest, ThreadState } from "../state/model.ts";
import { classNames } from "../ui/class-names.ts";
import type { Hit } from "./find/find-hits.ts";
import { goToHit } from "./find/go-to-hit.ts";
import { useHighlights } from "./find/use-highlights.ts";
import { useItemTarget } from "./find/use-item-target.ts";
import type { Row } from "./row.ts";
import { RowBuilder } from "./rows.ts";
import { ThreadRow } from "./thread-row.tsx";
import type { Follow } from "./use-follow.ts";
import { useOverscan } from "./use-overscan.ts";

type AnyVirtualizer = Virtualizer<HTMLDivElement, HTMLDivElement>;

/** Older turns are asked for when so few rows are left above. */
const rowsLeft = 30;

interface LogRowsProps {
  readonly thread: ThreadState;
  readonly scroller: HTMLDivElement;
  readonly follow: Follow;
  readonly renderRequest: (request: PendingRequest) => ReactNode;
  readonly onLoadOlder: () => void;
  /** The hit to be shown, and the term that is searched for; empty for none. */
  readonly found: Hit | null;
  readonly term: string;
}

/**
 * The rows of a thread, of which those in sight are in the document. They keep their place when older turns are put
 * before them or rows above change their height.
 */
export function LogRows({ thread, scroller, follow, renderRequest, onLoadOlder, found, term }: LogRowsProps) {
  const builder = useMemo(() => new RowBuilder(), []);
  const rows = builder.build(thread);
  const current = useRef(rows);
  current.current = rows;
  const { settle, isFollowing, corrected } = follow;
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller,
    getItemKey: useCallback((index: number) => current.current[index]?.key ?? index, []),
    estimateSize: useCallback((index: number) => current.current[index]?.estimate ?? 0, []),
    overscan: 6,
    rangeExtractor: useOverscan(),
    initialRect: { width: scroller.clientWidth, height: scroller.clientHeight },
    initialOffset: () => Math.max(0, heightOf(rows) - scroller.clientHeight),
    // Keeps the place when rows come before those in sight. Following is not left to it: a row that comes before the
    // last one would not be followed. While the log follows, there is but one place to go to.
    anchorTo: "end",
    scrollEndThreshold: -1,
    scrollToFn: (offset, options, instance) => {
      if (isFollowing()) {
        settle();
        return;
      }
      elementScroll(offset + unheard(scroller, offset, options.adjustments), options, instance);
      corrected();
    },
    directDomUpdates: true,
    onChange: settle,
  });
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = useKeepPlace();
  useLayoutEffect(settle);

  const foundRow = found === null ? -1 : rows.findIndex((row) => holds(row, found));
  const needle = term.toLocaleLowerCase();
  const nth = found === null ? 0 : found.nth - hitsBefore(thread, rows[foundRow], needle);
  useHighlights(scroller, term, foundRow < 0 ? null : { row: foundRow, nth });
  // Rows that are put before it must not scroll to it again.
  const goTo = useRef((): (() => void) | undefined => undefined);
  goTo.current = () => {
    if (foundRow < 0) return undefined;
    follow.pause();
    const showRow = (): void => virtualizer.scrollToIndex(foundRow, { align: "center" });
    return goToHit({ scroller, row: foundRow, needle, nth, showRow });
  };
  const { itemId: foundItem, at: foundAt } = found ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: another hit is what it reacts to
  useEffect(() => goTo.current(), [foundItem, foundAt]);

  const targetRow = useItemTarget({
    ...{ thread, rows, scroller, follow, onLoadOlder },
    showRow: (row) => virtualizer.scrollToIndex(row, { align: "center" }),
  });

  const visible = virtualizer.getVirtualItems();
  const first = visible[0]?.index ?? 0;
  useLoadOlder({ thread, onLoadOlder, wanted: visible.length > 0 && first < rowsLeft });
  return (
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
            className={classNames("thread-row", `thread-row-${row.kind}`, index === targetRow && "is-target")}
          >
            <div className="thread-row-content">
              <ThreadRow
                row={row}
                thread={thread}
                renderRequest={renderRequest}
                onLoadOlder={onLoadOlder}
                wanted={index === foundRow || index === targetRow}
              />
            </div>
          </div>
        );
      })}
    </div>
  );
}

/**
 * Says whether the place is kept when a row changes its height: always when it is above what is seen, also while one
 * scrolls up. A row that begins above and ends below grows at its end, unless its height was only guessed before.
 */
function useKeepPlace(): NonNullable<AnyVirtualizer["shouldAdjustScrollPositionOnItemSizeChange"]> {
  const measured = useRef(new Set<VirtualItem["key"]>());
  return useCallback((item, _delta, { scrollOffset }) => {
    const guessed = !measured.current.has(item.key);
    measured.current.add(item.key);
    return (guessed ? item.start : item.end) <= (scrollOffset ?? 0);
  }, []);
}

/**
 * Distance that the reader has scrolled since the virtualizer last heard of it. A correction for rows that changed
 * their height continues from there; counted from the earlier offset, it would undo the scrolling.
 */
function unheard({ scrollTop, scrollHeight, clientHeight }: HTMLElement, offset: number, adjustments = 0): number {
  // At the end, the browser may have clamped the offset that was set.
  const isCut = scrollTop >= scrollHeight - clientHeight - 1;
  const moved = scrollTop - offset;
  return adjustments === 0 || isCut || Math.abs(moved) <= 1 ? 0 : moved;
}

/** True for the row that shows a hit. */
function holds(row: Row, hit: Hit): boolean {
  if (row.kind === "group") return row.rows.some((each) => holds(each, hit));
  const { itemId, at } = hit;
  if (row.kind !== "item" || row.itemId !== itemId) return false;
  return row.part === undefined || (row.part.start <= at && (row.part.end === null || at < row.part.end));
}

/** Number of hits in the parts of a long message before the one that a row shows. */
function hitsBefore({ items }: ThreadState, row: Row | undefined, needle: string): number {
  const item = row?.kind === "item" && row.part !== undefined ? items.get(row.itemId)?.item : undefined;
  if (row?.kind !== "item" || item?.type !== "agentMessage") return 0;
  return item.text.slice(0, row.part?.start).toLocaleLowerCase().split(needle).length - 1;
}

const heightOf = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + row.estimate, 0);

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
