import type { RecordKind, SlicePolicy } from "../events/record.ts";
import type { Reducer } from "./reducer.ts";
import type { SliceView } from "./slice-op.ts";

/** Options of {@link Slice.register}. */
export interface RegisterOptions {
  /** Whether the slice is rolled back. Default: as its type says. Cannot be changed once the slice is in use. */
  readonly policy?: SlicePolicy | undefined;
}

/** One slice of a session. What it changes, it changes by a dispatch. */
export interface Slice<T> extends SliceView<T> {
  /** Puts one record, or several, in place of all. */
  seed(values: T | readonly T[]): void;
  /** Removes all records, or those for which `where` holds. */
  clear(where?: (value: T) => boolean): void;
  /** Dispatches a record of this type. */
  append(value: T): void;
  /** Lets events of a type change this slice. */
  register<E extends object>(event: RecordKind<E>, reducer: Reducer<T, Readonly<E>>, options?: RegisterOptions): void;
}
