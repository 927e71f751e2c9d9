import type { BoardQuery, ColumnName } from "../events/board.ts";
import type { OrchestratorControl } from "../events/control.ts";
import { columnToWire, summaryToWire } from "./board-wire.ts";

/** Cards of a column that one reader may follow. */
const maxLimit = 500;

/** Reads which part of the board is asked for. */
export function boardQuery(query: URLSearchParams): BoardQuery {
  const limit = Number(query.get("limit") ?? 50);
  return {
    search: (query.get("q") ?? "").slice(0, 200),
    limit: Number.isInteger(limit) ? Math.min(Math.max(limit, 1), maxLimit) : 50,
  };
}

/** The board at this moment. */
export function boardNow(control: OrchestratorControl, query: BoardQuery): object {
  return { ...summaryToWire(control.snapshot()), columns: control.board(query).map(columnToWire) };
}

interface SentColumn {
  readonly count: number;
  /** Ids in their order, and each card as it was sent. */
  readonly order: readonly string[];
  readonly cards: ReadonlyMap<string, string>;
}

/** The part of the board that one reader was sent, to send it only what differs. */
export class BoardView {
  readonly #query: BoardQuery;
  readonly #sent = new Map<ColumnName, SentColumn>();
  #summary = "";

  constructor(query: BoardQuery) {
    this.#query = query;
  }

  /** The event for the reader: the whole board at first, then changes; undefined where nothing has changed. */
  next(control: OrchestratorControl): string | undefined {
    const isFirst = this.#sent.size === 0;
    const summary = JSON.stringify({ ...summaryToWire(control.snapshot()), generated_at: null });
    const columns = control.board(this.#query).flatMap((column) => {
      const before = this.#sent.get(column.name);
      const { cards } = columnToWire(column) as { cards: readonly { issue_id: string }[] };
      const texts = new Map(cards.map((card) => [card.issue_id, JSON.stringify(card)]));
      const order = [...texts.keys()];
      const changed = [...texts].filter(([id, text]) => before?.cards.get(id) !== text).map(([, text]) => text);
      const isSame = before !== undefined && before.count === column.count && sameOrder(before.order, order);
      if (isSame && changed.length === 0) return [];
      this.#sent.set(column.name, { count: column.count, order, cards: texts });
      const head = `"name":${JSON.stringify(column.name)},"count":${column.count}`;
      return [`{${head}${isSame ? "" : `,"order":${JSON.stringify(order)}`},"cards":[${changed.join(",")}]}`];
    });
    const isOther = summary !== this.#summary;
    if (columns.length === 0 && !isOther) return undefined;
    this.#summary = summary;
    const data = `{${isOther ? `"summary":${summary},` : ""}"columns":[${columns.join(",")}]}`;
    return `event: ${isFirst ? "board" : "changes"}\ndata: ${data}\n\n`;
  }
}

function sameOrder(before: readonly string[], now: readonly string[]): boolean {
  return before.length === now.length && before.every((id, index) => id === now[index]);
}
