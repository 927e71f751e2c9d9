import { type BoardChange, type Card, type ColumnChange, type ColumnName, columnNames, type Summary } from "./wire.ts";

/** A column as far as it is loaded. */
export interface Column {
  /** All that match. */
  readonly count: number;
  /** Ids of those that are loaded. */
  readonly order: readonly string[];
  readonly cards: ReadonlyMap<string, Card>;
  /** Places of waiting issues, by index; null for one that is held back. */
  readonly positions: readonly (number | null)[];
}

/** The board as far as it is loaded. */
export interface Board {
  readonly summary: Summary;
  readonly columns: Readonly<Record<ColumnName, Column>>;
  /** Another number after each change. */
  readonly version: number;
}

const noColumn: Column = { count: 0, order: [], cards: new Map(), positions: [] };

const noColumns = Object.fromEntries(columnNames.map((name) => [name, noColumn])) as Board["columns"];

/** The board after an event; null as long as nothing is known. Columns that did not change stay the same objects. */
export function applyChange(before: Board | null, { summary = before?.summary, columns }: BoardChange): Board | null {
  if (summary === undefined) return null;
  const changed = columns.map((change) => [change.name, changedColumn(before?.columns[change.name], change)]);
  return {
    summary,
    version: (before?.version ?? 0) + 1,
    columns: { ...(before?.columns ?? noColumns), ...Object.fromEntries(changed) },
  };
}

function changedColumn(before: Column = noColumn, { count, cards: fresh, move }: ColumnChange): Column {
  const order = moved(before.order, move);
  const news = new Map(fresh.map((card) => [card.issue_id, card]));
  const cards = new Map<string, Card>();
  for (const id of order) {
    const card = news.get(id) ?? before.cards.get(id);
    if (card !== undefined) cards.set(id, card);
  }
  let place = 0;
  const positions = order.map((id) => {
    const position = cards.get(id)?.position ?? null;
    if (position !== null) place++;
    return position === 0 ? place : position;
  });
  return { count, order, cards, positions };
}

function moved(before: readonly string[], move: ColumnChange["move"]): readonly string[] {
  if (move === undefined) return before;
  if (move.order !== undefined) return move.order;
  const gone = new Set(move.gone);
  const order = before.filter((id) => !gone.has(id));
  const came = move.came ?? [];
  if (order.length === 0) return came.map(([, id]) => id);
  for (const [index, id] of came) order.splice(index, 0, id);
  return order;
}

/** A loaded card by its issue's identifier. */
export function cardOf({ columns }: Board, identifier: string): Card | undefined {
  for (const name of columnNames) {
    for (const card of columns[name].cards.values()) if (card.issue_identifier === identifier) return card;
  }
  return undefined;
}
