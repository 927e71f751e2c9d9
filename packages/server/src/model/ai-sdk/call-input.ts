import { parseJson } from "../../lib/bounded-json.ts";
import { isTable, type Table } from "../../lib/table.ts";

/** A call's arguments as an object: providers refuse a history with any others, also where the model wrote them. */
export function callInput(args: string): Table {
  try {
    const value = parseJson(args === "" ? "{}" : args);
    return isTable(value) ? value : { arguments: value };
  } catch {
    return { arguments: args };
  }
}
