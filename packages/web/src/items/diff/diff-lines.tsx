import { Fragment, type KeyboardEvent, type ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { itemWords } from "../../words/words.ts";
import { CodeLine } from "../code/code-line.tsx";
import { languageOfPath } from "../code/languages.ts";
import type { CodeTokens } from "../code/token-kinds.ts";
import { useHighlighted } from "../code/use-highlighted.ts";
import { useFold } from "../folds.ts";
import { plural, revealed } from "../format.ts";
import { WindowedLines } from "../windowed-lines.tsx";
import { LineComments, useCommentable } from "./diff-comments.tsx";
import { useDiffMode, useRoomForSplit } from "./diff-mode.ts";
import { type DiffRow, layoutDiff, type MarkedLine } from "./diff-rows.ts";
import type { DiffFile } from "./parse-diff.ts";

/** A diff with more rows is folded to these many. */
const foldedRows = 60;

/** Rows in sight once a long diff is unfolded. */
const openRows = 36;

interface Sides {
  readonly before: readonly CodeTokens[];
  readonly after: readonly CodeTokens[];
}

/** The lines of one file's diff, highlighted, in one column or two. Loaded with the first diff that is opened. */
export function DiffLines({ file, foldKey }: { readonly file: DiffFile; readonly foldKey: string }) {
  const layout = layoutDiff(file);
  const [mode] = useDiffMode();
  const split = useRoomForSplit() && mode === "split";
  const language = languageOfPath(file.path);
  const sides: Sides = {
    before: useHighlighted(layout.before, { language, complete: true }),
    after: useHighlighted(layout.after, { language, complete: true }),
  };
  const rows = split ? layout.split : layout.unified;
  const [open, setOpen] = useFold(`${foldKey}/lines`, false);
  const commentable = useCommentable(file);
  const folds = rows.length > foldedRows + 10;
  if (rows.length === 0) return <p className="diff-none">{emptyText(file)}</p>;
  const shownRows = folds && !open ? foldedRows : rows.length;
  const visible = folds && open ? openRows : foldedRows + 10;
  // Lines below others that are not in the document must keep their places: there, comments follow the lines.
  const inline = shownRows <= visible;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: moves the focus between the buttons in it
    <div className="diff-commented" onKeyDown={moveFocus}>
      <WindowedLines
        key={`${open} ${split}`}
        label={itemWords.changes(file.path)}
        className={classNames("diff-lines", split && "diff-split")}
        // Each side has half of the room; as far as its longest line goes beyond, both can be slid.
        minWidth={split ? `max(100%, 50% + ${layout.longest + 10}ch)` : undefined}
        slides={split}
        count={shownRows}
        visible={visible}
        renderLine={(index) => (
          <Fragment key={index}>
            <Row row={rows[index]} sides={sides} spot={(line) => commentable?.spot(line, index === firstLine(rows))} />
            {inline && commentable !== null && <LineComments commentable={commentable} lines={linesOf(rows[index])} />}
          </Fragment>
        )}
      />
      {!inline && commentable !== null && <LineComments commentable={commentable} lines={null} />}
      {folds && (
        <Button variant="ghost" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? itemWords.showLess : itemWords.showAll(plural(rows.length, "line"))}
        </Button>
      )}
    </div>
  );
}

const firstLine = (rows: readonly DiffRow[]): number => rows.findIndex(({ type }) => type !== "gap");

function linesOf(row: DiffRow | undefined): readonly MarkedLine[] {
  if (row === undefined || row.type === "gap") return [];
  if (row.type === "line") return [row.line];
  return [row.left, row.right].filter((line) => line !== null);
}

/** The arrows go from one line's button to the next. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(event.target instanceof HTMLElement) || !event.target.matches(".diff-comment")) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>(".diff-comment")];
  const next = buttons[buttons.indexOf(event.target) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

function emptyText({ kind, from }: DiffFile): string {
  if (kind === "binary") return itemWords.binaryFile;
  return from === null ? itemWords.noChangeContent : itemWords.movedWithoutChangeContent;
}

/** The button that comments on a line. */
type Spot = (line: MarkedLine) => ReactNode;

interface RowProps {
  readonly row: DiffRow | undefined;
  readonly sides: Sides;
  readonly spot: Spot;
}

function Row({ row, sides, spot }: RowProps) {
  if (row === undefined) return null;
  if (row.type === "gap") {
    return (
      <div className="diff-row diff-gap">
        <span>{row.heading === "" ? "⋯" : `⋯ ${revealed(row.heading)}`}</span>
      </div>
    );
  }
  if (row.type === "line") return <Unified line={row.line} sides={sides} spot={spot} />;
  return (
    <div className="diff-row diff-pair">
      <Half line={row.left} number={row.left?.before} tokens={sides.before} spot={spot} />
      <Half line={row.right} number={row.right?.after} tokens={sides.after} spot={spot} />
    </div>
  );
}

const signs = { added: "+", removed: "-", context: " " };

interface UnifiedProps {
  readonly line: MarkedLine;
  readonly sides: Sides;
  readonly spot: Spot;
}

function Unified({ line, sides, spot }: UnifiedProps) {
  const tokens = line.kind === "removed" ? sides.before : sides.after;
  return (
    <div className={`diff-row diff-${line.kind}`}>
      {spot(line)}
      <span className="diff-number" data-number={line.before ?? ""} />
      <span className="diff-number" data-number={line.after ?? ""} />
      <span className="diff-sign">{signs[line.kind]}</span>
      <span className="diff-text">
        <CodeLine text={line.text} tokens={tokens[line.at]} mark={line.mark} />
      </span>
    </div>
  );
}

interface HalfProps {
  readonly line: MarkedLine | null;
  readonly number: number | null | undefined;
  readonly tokens: readonly CodeTokens[];
  readonly spot: Spot;
}

/**
 * A side of a row. Its text slides below its number as the diff is scrolled sideways, so that both sides stay in sight.
 */
function Half({ line, number, tokens, spot }: HalfProps) {
  if (line === null) return <div className="diff-half diff-blank" />;
  return (
    <div className={`diff-half diff-${line.kind}`}>
      {spot(line)}
      <span className="diff-number" data-number={number ?? ""} />
      <span className="diff-sign">{signs[line.kind]}</span>
      <span className="diff-text">
        <span className="diff-slide">
          <CodeLine text={line.text} tokens={tokens[line.at]} mark={line.mark} />
        </span>
      </span>
    </div>
  );
}
