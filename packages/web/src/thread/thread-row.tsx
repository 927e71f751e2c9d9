import type { ItemState } from "@quire/client/view";
import type { ReactNode } from "react";
import { ItemView } from "../items/item-view.tsx";
import type { PendingRequest, ThreadState } from "../state/model.ts";
import { Button, Spinner } from "../ui/index.ts";
import { threadWords } from "../words/words.ts";
import { NoticeRow } from "./notice-row.tsx";
import type { Row } from "./row.ts";
import { TurnEnd } from "./turn-end.tsx";
import { TurnHooks } from "./turn-hooks.tsx";
import { TurnPlan } from "./turn-plan.tsx";
import { WorkGroup } from "./work-group.tsx";

/** Props of {@link ThreadRow}. */
export interface ThreadRowProps {
  readonly row: Row;
  readonly thread: ThreadState;
  readonly renderRequest: (request: PendingRequest) => ReactNode;
  readonly onLoadOlder: () => void;
  /** The row holds what the user searches for. */
  readonly wanted?: boolean | undefined;
}

/** The view of a row of the log. */
export function ThreadRow({ row, thread, renderRequest, onLoadOlder, wanted = false }: ThreadRowProps): ReactNode {
  switch (row.kind) {
    case "item": {
      const state = thread.items.get(row.itemId);
      if (state === undefined) return null;
      return (
        <ItemView
          state={state}
          part={row.part}
          waiting={!state.done && isAskedAbout(thread, state)}
          stopped={state.item.type === "commandExecution" && isStopped(thread, state.turnId)}
        />
      );
    }
    case "group":
      return (
        <WorkGroup row={row} items={thread.items} wanted={wanted}>
          {row.rows.map((each) => (
            <ThreadRow
              key={each.key}
              row={each}
              thread={thread}
              renderRequest={renderRequest}
              onLoadOlder={onLoadOlder}
            />
          ))}
        </WorkGroup>
      );
    case "notice":
      return <NoticeRow notice={row.notice} />;
    case "request":
      return renderRequest(row.request);
    case "hooks":
      return <TurnHooks hooks={row.hooks} foldKey={row.key} />;
    case "plan":
      return <TurnPlan turn={row.turn} />;
    case "end":
      return (
        <TurnEnd
          turn={row.turn}
          items={thread.items}
          model={thread.settings.model}
          waiting={isWaiting(thread, row.turn.id)}
          connected={thread.summary.status !== "disconnected"}
        />
      );
    default:
      return (
        <div className="thread-older">
          {thread.loadingOlder ? (
            <Spinner label={threadWords.loadingEarlierTurns} />
          ) : (
            <Button variant="ghost" size="small" onClick={onLoadOlder}>
              {threadWords.loadEarlierTurns}
            </Button>
          )}
        </div>
      );
  }
}

const isWaiting = ({ pending }: ThreadState, turnId: string): boolean =>
  pending.some((request) => request.turnId === turnId && request.answered === null);

const isStopped = ({ turns }: ThreadState, turnId: string): boolean =>
  turns.findLast(({ id }) => id === turnId)?.status === "interrupted";

const isAskedAbout = ({ pending }: ThreadState, { item, turnId }: ItemState): boolean =>
  pending.some(
    (request) => request.itemId === item.id && request.answered === null && (request.turnId ?? turnId) === turnId,
  );
