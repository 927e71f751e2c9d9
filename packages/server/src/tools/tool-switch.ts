import { type Table, valueAt } from "../lib/table.ts";

/** True when `tools.NAME.enabled` is true. */
export const isToolOn = (raw: Table, name: string): boolean => valueAt(raw, ["tools", name, "enabled"]) === true;

/** True when `tools.NAME.enabled` is false. */
export const isToolOff = (raw: Table, name: string): boolean => valueAt(raw, ["tools", name, "enabled"]) === false;
