import { type BoardQuery, type Column, type ColumnName, columnNames } from "../events/board.ts";
import type { OrchestratorControl } from "../events/control.ts";
import { cardToWire, columnToWire, summaryToWire } from "./board-wire.ts";

/** Cards of a column that one reader may follow. */
const maxLimit = 10_000;

/** Reads which part of the board is asked for: `q`, `limit` for all columns, and `running=200` for one of them. */
export function boardQuery(query: URLSearchParams): BoardQuery {
  const limits = columnNames.flatMap((name) => (query.has(name) ? [[name, limitOf(query.get(name))]] : []));
  return {
    search: (query.get("q") ?? "").slice(0, 200),
    limit: limitOf(query.get("limit")),
    limits: Object.fromEntries(limits) as BoardQuery["limits"],
  };
}

function limitOf(text: string | null): number {
  const limit = Number(text ?? 50);
  return Number.isInteger(limit) ? Math.min(Math.max(limit, 1), maxLimit) : 50;
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
    const columns = control.board(this.#query).flatMap((column) => this.#changesOf(column));
    const isOther = summary !== this.#summary;
    if (columns.length === 0 && !isOther) return undefined;
    this.#summary = summary;
    const data = `{${isOther ? `"summary":${summary},` : ""}"columns":[${columns.join(",")}]}`;
    return `event: ${isFirst ? "board" : "changes"}\ndata: ${data}\n\n`;
  }

  #changesOf({ name, count, cards }: Column): string[] {
    const before = this.#sent.get(name);
    const texts = new Map(cards.map((card) => [card.issueId, JSON.stringify(cardToWire(this.#sentAs(card)))]));
    const order = [...texts.keys()];
    const changed = [...texts].filter(([id, text]) => before?.cards.get(id) !== text).map(([, text]) => text);
    const move = moveOf(before?.order ?? [], order);
    if (before?.count === count && move === undefined && changed.length === 0) return [];
    this.#sent.set(name, { count, order, cards: texts });
    const head = `"name":${JSON.stringify(name)},"count":${count}`;
    return [`{${head}${move ? `,"move":${JSON.stringify(move)}` : ""},"cards":[${changed.join(",")}]}`];
  }

  /**
   * The card without its place: all places change with the first issue that leaves, and no card is sent again for it. A
   * reader who has a column from its beginning counts them.
   */
  #sentAs<T extends Column["cards"][number]>(card: T): T {
    return card.position === null || this.#query.search.trim() !== "" ? card : { ...card, position: 0 };
  }
}

/** The difference of two orders: ids that go, then ids that come with their places; or the whole where others moved. */
function moveOf(before: readonly string[], now: readonly string[]): object | undefined {
  const [old, next] = [new Set(before), new Set(now)];
  const gone = before.filter((id) => !next.has(id));
  const came = now.flatMap((id, index) => (old.has(id) ? [] : [[index, id] as const]));
  const stayed = now.filter((id) => old.has(id));
  if (!before.filter((id) => next.has(id)).every((id, index) => id === stayed[index])) return { order: now };
  return gone.length + came.length === 0 ? undefined : { gone, came };
}
