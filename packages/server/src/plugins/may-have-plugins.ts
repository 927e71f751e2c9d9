import { isSwitchedOff } from "../config/feature-flags.ts";
import type { Table } from "../lib/table.ts";

/** True when a configuration names plugins; if not, their code need not be loaded. */
export function mayHavePlugins(raw: Table): boolean {
  return raw.plugins !== undefined && !isSwitchedOff(raw, "plugins");
}
