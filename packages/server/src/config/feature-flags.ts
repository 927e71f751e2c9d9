import { isTable, type Table, valueAt } from "../lib/table.ts";

/** True when `features.NAME` is true, by itself or as `enabled` of a table. */
export function isSwitchedOn(raw: Table, name: string): boolean {
  return switchAt(raw, name) === true;
}

/** True when `features.NAME` is false, for features that are on by default. */
export function isSwitchedOff(raw: Table, name: string): boolean {
  return switchAt(raw, name) === false;
}

function switchAt(raw: Table, name: string): unknown {
  const value = valueAt(raw, ["features", name]);
  return isTable(value) ? value.enabled : value;
}
