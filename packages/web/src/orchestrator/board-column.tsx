import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { formatNumber } from "../items/format.ts";
import { classNames } from "../ui/index.ts";
import { boardWords } from "../words/words.ts";
import type { Column } from "./board.ts";
import { BoardCard } from "./board-card.tsx";
import type { ColumnName } from "./wire.ts";

/** Height of a card before it is measured. */
const cardHeight = 104;
/** More cards are loaded when so few are left below. */
const cardsLeft = 10;

interface BoardColumnProps {
  readonly name: ColumnName;
  readonly column: Column;
  readonly now: number;
  readonly selected: string | null;
  readonly isSearch: boolean;
  readonly onSelect: (identifier: string) => void;
  readonly onMore: (name: ColumnName) => void;
}

/** A column, of which the cards in sight are in the document. One card takes the focus; arrow keys move it. */
export function BoardColumn(props: BoardColumnProps): ReactNode {
  const { name, column, now, selected, isSearch, onSelect, onMore } = props;
  const { order, cards, count, positions } = column;
  const scroller = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count: order.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => order[index] ?? index, [order]),
    estimateSize: () => cardHeight,
    overscan: 6,
  });
  const visible = virtualizer.getVirtualItems();
  const last = visible.at(-1)?.index ?? -1;
  const wantsMore = order.length < count && last >= order.length - cardsLeft;
  useEffect(() => {
    if (wantsMore) onMore(name);
  }, [wantsMore, name, onMore]);
  const stop = visible.some(({ index }) => index === current) ? current : visible[0]?.index;

  const move = (event: KeyboardEvent): void => {
    const target = targetOf(event.key, stop ?? 0, order.length);
    if (target === undefined) return;
    event.preventDefault();
    setCurrent(target);
    virtualizer.scrollToIndex(target);
    focusSoon(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${target}"] button`));
  };

  return (
    <section className={classNames("board-column", count === 0 && "is-empty")} aria-label={boardWords.columns[name]}>
      <h2>
        {boardWords.columns[name]} <span className="orchestrator-muted">{formatNumber(count)}</span>
      </h2>
      {count === 0 ? (
        <p className="orchestrator-muted board-none">{isSearch ? boardWords.noMatch : boardWords.none}</p>
      ) : (
        <div ref={scroller} className="board-scroller">
          <ul style={{ height: virtualizer.getTotalSize() }} onKeyDown={move}>
            {visible.map(({ key, index, start }) => {
              const card = cards.get(order[index] ?? "");
              if (card === undefined) return null;
              return (
                <li
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  aria-posinset={index + 1}
                  aria-setsize={count}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <BoardCard
                    card={card}
                    position={positions[index] ?? null}
                    now={now}
                    isSelected={card.issue_identifier === selected}
                    tabIndex={index === stop ? 0 : -1}
                    onFocus={() => setCurrent(index)}
                    onSelect={onSelect}
                  />
                </li>
              );
            })}
          </ul>
        </div>
      )}
    </section>
  );
}

function targetOf(key: string, at: number, count: number): number | undefined {
  if (key === "ArrowDown") return Math.min(at + 1, count - 1);
  if (key === "ArrowUp") return Math.max(at - 1, 0);
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

/** Focuses an element that is rendered within a few frames. */
function focusSoon(find: () => HTMLElement | null | undefined, tries = 10): void {
  requestAnimationFrame(() => {
    const element = find();
    if (element) element.focus({ preventScroll: true });
    else if (tries > 0) focusSoon(find, tries - 1);
  });
}
