import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { CodeLine } from "../code/code-line.tsx";
import { languageOfPath } from "../code/languages.ts";
import type { CodeTokens } from "../code/token-kinds.ts";
import { useHighlighted } from "../code/use-highlighted.ts";
import { useFold } from "../folds.ts";
import { plural, revealed } from "../format.ts";
import { WindowedLines } from "../windowed-lines.tsx";
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
  const folds = rows.length > foldedRows + 10;
  if (rows.length === 0) return <p className="diff-none">{emptyText(file)}</p>;
  return (
    <>
      <WindowedLines
        key={`${open} ${split}`}
        label={`Changes of ${file.path}`}
        className={classNames("diff-lines", split && "diff-split")}
        // Each side has half of the room; as far as its longest line goes beyond, both can be slid.
        minWidth={split ? `max(100%, 50% + ${layout.longest + 10}ch)` : undefined}
        slides={split}
        count={folds && !open ? foldedRows : rows.length}
        visible={folds && open ? openRows : foldedRows + 10}
        renderLine={(index) => <Row key={index} row={rows[index]} sides={sides} />}
      />
      {folds && (
        <Button variant="ghost" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Show less" : `Show all ${plural(rows.length, "line")}`}
        </Button>
      )}
    </>
  );
}

function emptyText({ kind, from }: DiffFile): string {
  if (kind === "binary") return "A binary file.";
  return from === null ? "No change of content." : "Moved without a change of content.";
}

function Row({ row, sides }: { readonly row: DiffRow | undefined; readonly sides: Sides }) {
  if (row === undefined) return null;
  if (row.type === "gap") {
    return (
      <div className="diff-row diff-gap">
        <span>{row.heading === "" ? "⋯" : `⋯ ${revealed(row.heading)}`}</span>
      </div>
    );
  }
  if (row.type === "line") return <Unified line={row.line} sides={sides} />;
  return (
    <div className="diff-row diff-pair">
      <Half line={row.left} number={row.left?.before} tokens={sides.before} />
      <Half line={row.right} number={row.right?.after} tokens={sides.after} />
    </div>
  );
}

const signs = { added: "+", removed: "-", context: " " };

function Unified({ line, sides }: { readonly line: MarkedLine; readonly sides: Sides }) {
  const tokens = line.kind === "removed" ? sides.before : sides.after;
  return (
    <div className={`diff-row diff-${line.kind}`}>
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
}

/**
 * A side of a row. Its text slides below its number as the diff is scrolled sideways, so that both sides stay in sight.
 */
function Half({ line, number, tokens }: HalfProps) {
  if (line === null) return <div className="diff-half diff-blank" />;
  return (
    <div className={`diff-half diff-${line.kind}`}>
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
