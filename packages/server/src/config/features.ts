import { type Table, valueAt } from "./table.ts";

/** Whether `features.NAME` is set to true. */
export function isSwitchedOn(raw: Table, name: string): boolean {
  return valueAt(raw, ["features", name]) === true;
}

/** Whether `features.NAME` is set to false, for what is on otherwise. */
export function isSwitchedOff(raw: Table, name: string): boolean {
  return valueAt(raw, ["features", name]) === false;
}
