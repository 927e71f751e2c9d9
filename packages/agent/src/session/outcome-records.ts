import { PromptExecuted, ToolInvoked } from "../events/canonical.ts";
import { recordTypeOf } from "../events/record.ts";

/**
 * The records that an event brings with it: the value of a tool that succeeded, and the output of an evaluation, also
 * each of several. A failed tool was rolled back, so nothing of it may be kept.
 */
export function outcomeRecords(event: object): readonly object[] {
  if (ToolInvoked.is(event)) return event.result.success ? recordsIn([event.result.value]) : [];
  if (!PromptExecuted.is(event)) return [];
  const { output } = event.result;
  return recordsIn(Array.isArray(output) ? output : [output]);
}

const recordsIn = (values: readonly unknown[]): readonly object[] =>
  values.filter((value): value is object => recordTypeOf(value) !== undefined);
