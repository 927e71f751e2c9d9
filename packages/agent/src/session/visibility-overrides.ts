import { type RecordType, record } from "../events/record.ts";
import { defineSlice, type SliceDefinition } from "./define-slice.ts";

/** The part of a section that the model sees. */
export type Visibility = "full" | "summary";

/** The visibility of sections that differs from the prompt's, by the path of their keys: `guide.details`. */
export const VisibilityOverrides: RecordType<{ overrides: Readonly<Record<string, Visibility>> }> =
  record("quire.visibilityOverrides");

/** Shows a section in full, or its summary, from now on. */
export const SetVisibilityOverride: RecordType<{ path: string; visibility: Visibility }> =
  record("quire.setVisibilityOverride");

/** Shows a section as the prompt says again. */
export const ClearVisibilityOverride: RecordType<{ path: string }> = record("quire.clearVisibilityOverride");

/** Shows all sections as the prompt says again. */
export const ClearAllVisibilityOverrides: RecordType<object> = record("quire.clearAllVisibilityOverrides");

/** In every session from its start. */
export const visibilitySlice: SliceDefinition<{ overrides: Readonly<Record<string, Visibility>> }> = defineSlice(
  VisibilityOverrides,
  { initial: () => ({ overrides: {} }) },
)
  .on(SetVisibilityOverride, ({ overrides }, { path, visibility }) => ({
    overrides: { ...overrides, [path]: visibility },
  }))
  .on(ClearVisibilityOverride, ({ overrides }, { path }) => ({
    overrides: Object.fromEntries(Object.entries(overrides).filter(([each]) => each !== path)),
  }))
  .on(ClearAllVisibilityOverrides, () => ({ overrides: {} }));
