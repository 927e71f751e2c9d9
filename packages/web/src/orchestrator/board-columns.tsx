import type { ReactNode } from "react";
import { boardWords } from "../words/words.ts";
import type { Board } from "./board.ts";
import { BoardColumn } from "./board-column.tsx";
import { type ColumnName, columnNames } from "./wire.ts";

interface BoardColumnsProps {
  readonly board: Board;
  readonly now: number;
  readonly selected: string | null;
  readonly isSearch: boolean;
  readonly onSelect: (identifier: string) => void;
  readonly onMore: (name: ColumnName) => void;
}

/** All issues, in columns by what becomes of them next. */
export function BoardColumns({ board, ...rest }: BoardColumnsProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="board" aria-label={boardWords.board} tabIndex={0}>
      {columnNames.map((name) => (
        <BoardColumn key={name} name={name} column={board.columns[name]} {...rest} />
      ))}
    </section>
  );
}
