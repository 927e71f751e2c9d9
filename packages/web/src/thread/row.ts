import type { HookRun, Notice, TurnState } from "@quire/client/view";
import type { MessagePart } from "../items/kinds/agent-message.tsx";
import type { PendingRequest } from "../state/model.ts";

interface RowBase {
  readonly key: string;
  /** Height before it was measured. Kept with the row: the heights of all rows are summed often. */
  readonly estimate: number;
}

interface ItemRow {
  readonly kind: "item";
  readonly itemId: string;
  readonly part?: MessagePart;
}

/** A row of the log. Rows stay the same objects as long as their content does. */
export type Row = RowBase &
  (
    | { readonly kind: "older" }
    | ItemRow
    | { readonly kind: "group"; readonly rows: readonly (RowBase & ItemRow)[] }
    | { readonly kind: "notice"; readonly notice: Notice }
    | { readonly kind: "request"; readonly request: PendingRequest }
    | { readonly kind: "hooks"; readonly hooks: readonly HookRun[] }
    | { readonly kind: "plan"; readonly turn: TurnState }
    | { readonly kind: "end"; readonly turn: TurnState }
  );
