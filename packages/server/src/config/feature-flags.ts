import { isTable, type Table, valueAt } from "../lib/table.ts";

/** Whether `features.NAME` is set to true, alone or as `enabled` of a table with further settings. */
export function isSwitchedOn(raw: Table, name: string): boolean {
  return switchAt(raw, name) === true;
}

/** Whether `features.NAME` is set to false, for what is on otherwise. */
export function isSwitchedOff(raw: Table, name: string): boolean {
  return switchAt(raw, name) === false;
}

function switchAt(raw: Table, name: string): unknown {
  const value = valueAt(raw, ["features", name]);
  return isTable(value) ? value.enabled : value;
}
