import type { ThreadItem } from "@quire/protocol";
import type { ThreadState } from "../state/model.ts";
import type { Row } from "./row.ts";

/** Pieces of work in a row from which on they are one line. */
const least = 8;

/** Kinds of items that are work on the way: what was said and what was changed stays in sight. */
const work: ReadonlySet<ThreadItem["type"]> = new Set([
  "commandExecution",
  "mcpToolCall",
  "dynamicToolCall",
  "webSearch",
  "imageView",
  "reasoning",
]);

/** Rows of a turn that is over, with each long stretch of work as one row that opens. */
export function groupWork(rows: readonly Row[], items: ThreadState["items"]): readonly Row[] {
  const grouped: Row[] = [];
  let stretch: Extract<Row, { readonly kind: "item" }>[] = [];
  const close = (): void => {
    const [first] = stretch;
    if (first === undefined || stretch.length < least) grouped.push(...stretch);
    else grouped.push({ kind: "group", key: `group ${first.key}`, rows: stretch, estimate: 32 });
    stretch = [];
  };
  for (const row of rows) {
    const type = row.kind === "item" ? items.get(row.itemId)?.item.type : undefined;
    if (row.kind === "item" && type !== undefined && work.has(type)) stretch.push(row);
    else {
      close();
      grouped.push(row);
    }
  }
  close();
  return grouped;
}
