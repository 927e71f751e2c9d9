import { Layers } from "lucide-react";
import type { ReactNode } from "react";
import { Activity } from "../items/activity.tsx";
import type { ThreadState } from "../state/model.ts";
import { workWords as words } from "../words/words.ts";
import type { Row } from "./row.ts";

interface WorkGroupProps {
  readonly row: Extract<Row, { readonly kind: "group" }>;
  readonly items: ThreadState["items"];
  /** It holds what the user searches for. */
  readonly wanted: boolean;
  readonly children: ReactNode;
}

/** A long stretch of work as one line: how much of what, and how much of it failed. */
export function WorkGroup({ row, items, wanted, children }: WorkGroupProps): ReactNode {
  const all = row.rows.flatMap(({ itemId }) => items.get(itemId)?.item ?? []);
  const commands = all.filter(({ type }) => type === "commandExecution").length;
  const others = all.filter(({ type }) => type !== "commandExecution" && type !== "reasoning").length;
  const failed = all.filter((item) => "status" in item && item.status === "failed").length;
  const parts = [commands > 0 && words.commands(commands), others > 0 && words.calls(others)].filter(Boolean);
  return (
    <Activity
      icon={Layers}
      title={parts.length === 0 ? words.thoughts : parts.join(", ")}
      facts={failed > 0 ? [words.failed(failed)] : []}
      foldKey={row.key}
      initiallyOpen={wanted}
    >
      <div className="thread-group">{children}</div>
    </Activity>
  );
}
