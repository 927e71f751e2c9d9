import { type RecordType, record } from "../events/record.ts";

/** Puts these records into a slice in place of all that it held. Applied before any reducer sees it. */
export const SliceSeeded: RecordType<{
  /** The name of the slice's type. */
  slice: string;
  values: readonly object[];
}> = record("quire.sliceSeeded");

/** Removes records from a slice: all, or those for which `where` holds. Applied before any reducer sees it. */
export const SliceCleared: RecordType<{
  /** The name of the slice's type. */
  slice: string;
  where?: ((value: never) => boolean) | undefined;
}> = record("quire.sliceCleared");
