/** The operations of a reducer on a slice. */
export type SliceOp<T> =
  | { readonly op: "append"; readonly value: T }
  | { readonly op: "extend"; readonly values: readonly T[] }
  | { readonly op: "replace"; readonly values: readonly T[] }
  | { readonly op: "clear"; where?(value: T): boolean };

/** Adds one record at the end. */
export const append = <T>(value: T): SliceOp<T> => ({ op: "append", value });

/** Adds records at the end. */
export const extend = <T>(values: readonly T[]): SliceOp<T> => ({ op: "extend", values });

/** Puts these records in place of all. */
export const replace = <T>(values: readonly T[]): SliceOp<T> => ({ op: "replace", values });

/** Removes all records, or those for which `where` holds. */
export const clear = <T>(where?: (value: T) => boolean): SliceOp<T> =>
  where === undefined ? { op: "clear" } : { op: "clear", where };

/** A read-only view of a slice, which copies nothing until it is asked for. */
export interface SliceView<T> {
  readonly size: number;
  /** All records, the oldest first. */
  all(): readonly T[];
  /** The newest record, or null. */
  latest(): T | null;
  /** The records for which this holds. */
  where(holds: (value: T) => boolean): readonly T[];
}
