import type { ColumnName } from "./wire.ts";

/** Part of the board that is looked at. */
export interface BoardQuery {
  readonly search: string;
  /** Cards to load, of columns where it is not {@link firstCards}. */
  readonly limits: Readonly<Partial<Record<ColumnName, number>>>;
}

/** Cards of a column that are loaded at first, and at most. */
export const firstCards = 50;
const maxCards = 10_000;

/** The query with more of a column; the same one if all that may be loaded is. */
export function withMore(query: BoardQuery, name: ColumnName): BoardQuery {
  const limit = query.limits[name] ?? firstCards;
  return limit >= maxCards ? query : { ...query, limits: { ...query.limits, [name]: Math.min(limit * 4, maxCards) } };
}
