import { Inbox } from "lucide-react";
import { type ReactNode, useCallback, useState } from "react";
import { classNames, EmptyState, Notice, Spinner } from "../ui/index.ts";
import { boardWords } from "../words/words.ts";
import type { OrchestratorApi } from "./api.ts";
import { type Board, cardOf } from "./board.ts";
import { BoardColumns } from "./board-columns.tsx";
import { type BoardQuery, withMore } from "./board-query.ts";
import { IssuePanel } from "./issue-panel.tsx";
import { Summary } from "./summary.tsx";
import { useBoard } from "./use-board.ts";
import { useCommands } from "./use-commands.ts";
import { useNow } from "./use-now.ts";
import { type ColumnName, columnNames } from "./wire.ts";

/** An issue that is not on the loaded part of the board is looked at this often, in milliseconds. */
const lookMs = 5000;

/** Everything about one orchestrator, renewed as it changes. */
export function OrchestratorView({ api }: { readonly api: OrchestratorApi }): ReactNode {
  const [query, setQuery] = useState<BoardQuery>({ search: "", limits: {} });
  const { link, board } = useBoard(api, query);
  const [selected, setSelected] = useState<string | null>(null);
  const commands = useCommands(api);
  const now = useNow();
  const onMore = useCallback((name: ColumnName) => setQuery((before) => withMore(before, name)), []);
  const onSearch = useCallback((search: string) => setQuery({ search, limits: {} }), []);
  const isLive = link === "live";
  return (
    <div className={classNames("orchestrator", selected !== null && "has-panel")}>
      <div className="orchestrator-main">
        {link === "offline" && (
          <Notice tone="warning">
            {board === null ? boardWords.offline : boardWords.offlineSince} <code>quire orchestrate --port N</code>
            {boardWords.reconnects}
          </Notice>
        )}
        {commands.error !== null && <Notice tone="danger">{commands.error}</Notice>}
        {board === null && link === "connecting" && <Spinner label={boardWords.loading} />}
        {board !== null && (
          <>
            <Summary board={board} now={now} commands={commands} disabled={!isLive} onSearch={onSearch} />
            {query.search === "" && isIdle(board) ? (
              <EmptyState icon={<Inbox size={24} />} title={boardWords.idle}>
                {boardWords.idleHint}
              </EmptyState>
            ) : (
              <BoardColumns
                board={board}
                now={now}
                selected={selected}
                isSearch={query.search !== ""}
                onSelect={setSelected}
                onMore={onMore}
              />
            )}
          </>
        )}
      </div>
      {selected !== null && (
        <IssuePanel
          key={selected}
          api={api}
          identifier={selected}
          card={board === null ? undefined : cardOf(board, selected)}
          version={`${board?.version} ${Math.floor(now / lookMs)}`}
          commands={commands}
          disabled={!isLive}
          onClose={() => setSelected(null)}
        />
      )}
    </div>
  );
}

const isIdle = ({ columns }: Board): boolean => columnNames.every((name) => columns[name].count === 0);
