import type { RecordKind, SlicePolicy } from "../events/record.ts";
import type { Reducer } from "./reducer.ts";
import type { SliceView } from "./slice-op.ts";

/** Options of {@link Slice.register}. */
export interface RegisterOptions {
  /** The slice's behaviour on a roll-back. Default: that of its type. Cannot be changed once the slice is in use. */
  readonly policy?: SlicePolicy | undefined;
}

/** A slice of a session. Every change is a dispatch. */
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
