/** Parts of sessions: records, reducers, slices and dispatchers. */
export {
  type AnyRecordType,
  type RecordKind,
  type RecordOf,
  type RecordOptions,
  type RecordType,
  recordTypeOf,
  type SlicePolicy,
} from "./events/record.ts";
export type { SliceDefinition, SliceHandler, SliceOptions } from "./session/define-slice.ts";
export type { Dispatcher, DispatchResult, EventHandler } from "./session/dispatcher.ts";
export { publish } from "./session/publish.ts";
export type { ReadonlySession, Reducer } from "./session/reducer.ts";
export type { SessionOptions } from "./session/session.ts";
export type { RegisterOptions, Slice } from "./session/slice-accessor.ts";
export { append, clear, extend, replace, type SliceOp, type SliceView } from "./session/slice-op.ts";
export type { SnapshotSlice } from "./session/snapshot.ts";
export { appendAll, replaceLatest, replaceLatestBy, upsertBy } from "./session/stock-reducers.ts";
export { SliceCleared, SliceSeeded } from "./session/system-events.ts";
export {
  ClearAllVisibilityOverrides,
  ClearVisibilityOverride,
  SetVisibilityOverride,
  VisibilityOverrides,
} from "./session/visibility-overrides.ts";
