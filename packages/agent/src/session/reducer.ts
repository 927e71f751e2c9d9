import type { RecordKind } from "../events/record.ts";
import type { SliceOp, SliceView } from "./slice-op.ts";

/** A session as reducers see it. */
export interface ReadonlySession {
  readonly id: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The slice of a type, for reading. */
  slice<T extends object>(type: RecordKind<T>): SliceView<Readonly<T>>;
}

/**
 * Tells what an event does to a slice; nothing, if it returns undefined. It must be pure: the same slice and event, the
 * same operation.
 */
export type Reducer<T, E> = (slice: SliceView<T>, event: E, session: ReadonlySession) => SliceOp<T> | undefined;
