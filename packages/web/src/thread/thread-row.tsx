import type { ReactNode } from "react";
import { ItemView } from "../items/item-view.tsx";
import type { PendingRequest, ThreadState } from "../state/model.ts";
import { Button, Spinner } from "../ui/index.ts";
import { NoticeRow } from "./notice-row.tsx";
import type { Row } from "./rows.ts";
import { TurnEnd } from "./turn-end.tsx";
import { TurnPlan } from "./turn-plan.tsx";

/** Props of {@link ThreadRow}. */
export interface ThreadRowProps {
  readonly row: Row;
  readonly thread: ThreadState;
  readonly renderRequest: (request: PendingRequest) => ReactNode;
  readonly onLoadOlder: () => void;
}

/** What one row of the log shows. */
export function ThreadRow({ row, thread, renderRequest, onLoadOlder }: ThreadRowProps): ReactNode {
  switch (row.kind) {
    case "item": {
      const state = thread.items.get(row.itemId);
      return state === undefined ? null : <ItemView state={state} part={row.part} />;
    }
    case "notice":
      return <NoticeRow notice={row.notice} />;
    case "request":
      return renderRequest(row.request);
    case "plan":
      return <TurnPlan turn={row.turn} />;
    case "end":
      return <TurnEnd turn={row.turn} waiting={isWaiting(thread, row.turn.id)} />;
    default:
      return (
        <div className="thread-older">
          {thread.loadingOlder ? (
            <Spinner label="Loading earlier turns" />
          ) : (
            <Button variant="ghost" size="small" onClick={onLoadOlder}>
              Load earlier turns
            </Button>
          )}
        </div>
      );
  }
}

const isWaiting = ({ pending }: ThreadState, turnId: string): boolean =>
  pending.some((request) => request.turnId === turnId && request.answered === null);
