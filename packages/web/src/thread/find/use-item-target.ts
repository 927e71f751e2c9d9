import { useEffect, useRef } from "react";
import { itemHref, useRoute } from "../../navigation/routes.ts";
import type { ThreadState } from "../../state/model.ts";
import type { Row } from "../row.ts";
import type { Follow } from "../use-follow.ts";
import { goToHit } from "./go-to-hit.ts";
import { type MessageStep, onMessageStep } from "./message-steps.ts";

interface ItemTargetOptions {
  readonly thread: ThreadState;
  readonly rows: readonly Row[];
  readonly scroller: HTMLElement;
  readonly follow: Pick<Follow, "pause">;
  readonly showRow: (row: number) => void;
  readonly onLoadOlder: () => void;
}

/**
 * Leads to the item that the address names, loading older turns until it is there, and from message to message. Gives
 * the row of that item; -1 where there is none.
 */
export function useItemTarget({ thread, rows, scroller, follow, showRow, onLoadOlder }: ItemTargetOptions): number {
  const route = useRoute();
  const item = route.page === "thread" ? (route.item ?? null) : null;
  const row = item === null ? -1 : rows.findIndex((each) => holdsItem(each, item));
  const isThere = row >= 0;
  const { olderCursor, loadingOlder } = thread;
  useEffect(() => {
    if (item !== null && !isThere && olderCursor !== null && !loadingOlder) onLoadOlder();
  }, [item, isThere, olderCursor, loadingOlder, onLoadOlder]);

  const goTo = useRef((): (() => void) | undefined => undefined);
  goTo.current = () => {
    follow.pause();
    return goToHit({ scroller, row, needle: "", nth: 0, showRow: () => showRow(row) });
  };
  useEffect(() => (item !== null && isThere ? goTo.current() : undefined), [item, isThere]);

  const step = useRef((_by: MessageStep): void => undefined);
  step.current = (by) => {
    const messages = rows.flatMap((each, index) => (isUserMessage(each, thread) ? [{ id: each.itemId, index }] : []));
    const from = item !== null && isThere && isInSight(scroller, row) ? row : firstInSight(scroller);
    const next = by < 0 ? messages.findLast(({ index }) => index < from) : messages.find(({ index }) => index > from);
    // It takes the place of the one before: Back leads out of the thread.
    if (next !== undefined) location.replace(itemHref(thread.summary.key, next.id));
  };
  useEffect(() => onMessageStep((by) => step.current(by)), []);
  return row;
}

function holdsItem(row: Row, item: string): boolean {
  if (row.kind === "group") return row.rows.some((each) => holdsItem(each, item));
  return row.kind === "item" && row.itemId === item;
}

const isUserMessage = (row: Row, { items }: ThreadState): row is Extract<Row, { kind: "item" }> =>
  row.kind === "item" && items.get(row.itemId)?.item.type === "userMessage";

function isInSight(scroller: HTMLElement, row: number): boolean {
  const place = scroller.querySelector(`[data-index="${row}"]`)?.getBoundingClientRect();
  const log = scroller.getBoundingClientRect();
  return place !== undefined && place.bottom > log.top && place.top < log.bottom;
}

/** Index of the first row in sight. */
function firstInSight(scroller: HTMLElement): number {
  const top = scroller.getBoundingClientRect().top;
  const rows = [...scroller.querySelectorAll<HTMLElement>("[data-index]")];
  const shown = rows.filter((row) => row.getBoundingClientRect().bottom > top + 1);
  return Math.min(...shown.map((row) => Number(row.dataset.index)));
}
