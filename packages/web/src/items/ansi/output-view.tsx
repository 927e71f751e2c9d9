import { useRef } from "react";
import { Button } from "../../ui/index.ts";
import { itemWords } from "../../words/words.ts";
import { useFold } from "../folds.ts";
import { plural } from "../format.ts";
import { WindowedLines } from "../windowed-lines.tsx";
import { AnsiLine } from "./ansi-line.tsx";
import { OutputIndex } from "./output-index.ts";

/** Lines that are shown before the user asks for all: the end is what tells how it went. */
const previewLines = 10;

/** Lines that are in sight once all are shown. */
const openLines = 24;

interface OutputViewProps {
  readonly text: string;
  readonly live: boolean;
  /** Under which key it is remembered that all lines are shown. */
  readonly foldKey: string;
}

/** Output of a command: its last lines, and on request all of them. The document holds a few dozen lines at most. */
export function OutputView({ text, live, foldKey }: OutputViewProps) {
  const index = useRef<OutputIndex>(null);
  index.current ??= new OutputIndex();
  const output = index.current;
  output.update(text);
  const [open, setOpen] = useFold(foldKey, false);
  const hidden = output.count - previewLines;
  // One more click for a line or two would be a nuisance.
  const folds = hidden > 2;
  const from = folds && !open ? hidden : 0;
  return (
    <div className="ansi-output">
      {folds && (
        <Button variant="ghost" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? itemWords.showLastLinesOnly : itemWords.show(plural(hidden, "earlier line"))}
        </Button>
      )}
      <WindowedLines
        key={open ? "all" : "end"}
        label={itemWords.output}
        className="ansi-lines"
        count={output.count - from}
        visible={open ? openLines : previewLines + 2}
        follow={live}
        renderLine={(at) => (
          <div key={from + at} className="ansi-line">
            <AnsiLine line={output.line(from + at)} />
          </div>
        )}
      />
    </div>
  );
}
