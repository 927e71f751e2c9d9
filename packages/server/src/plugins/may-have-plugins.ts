import { isSwitchedOff } from "../config/feature-flags.ts";
import type { Table } from "../lib/table.ts";

/** Whether a configuration names plugins at all; where not, nothing of them need be loaded. */
export function mayHavePlugins(raw: Table): boolean {
  return raw.plugins !== undefined && !isSwitchedOff(raw, "plugins");
}
