import { Button } from "../../ui/index.ts";
import { itemWords } from "../../words/words.ts";
import { CopyButton } from "../copy-button.tsx";
import { useFold } from "../folds.ts";
import { plural } from "../format.ts";
import { WindowedLines } from "../windowed-lines.tsx";
import { CodeLine } from "./code-line.tsx";
import { languageOf } from "./languages.ts";
import { useHighlighted } from "./use-highlighted.ts";

/** A block with more lines is folded to these many. */
const foldedLines = 40;

/** Lines in sight once a long block is unfolded. */
const openLines = 36;

interface CodeBlockProps {
  readonly text: string;
  /** As written behind the fence. */
  readonly info?: string | undefined;
  readonly live?: boolean | undefined;
  /** Under which key it is remembered that all lines are shown. */
  readonly foldKey: string;
}

/** A block of code with its language and a button to copy it. Long ones are folded. */
export function CodeBlock({ text, info, live = false, foldKey }: CodeBlockProps) {
  const highlighted = useHighlighted(text, { language: languageOf(info), complete: !live });
  const lines = text.split("\n");
  const [open, setOpen] = useFold(foldKey, false);
  const folds = lines.length > foldedLines + 5;
  const name = info?.trim().split(/\s/, 1)[0] ?? "";
  const count = folds && !open ? foldedLines : lines.length;
  // While it is written, the end is what one wants to see.
  const from = live && folds && !open ? lines.length - foldedLines : 0;
  return (
    <figure className="code-block">
      <figcaption className="code-head">
        <span className="code-name">{name === "" ? "text" : name}</span>
        <CopyButton label={itemWords.copyCode} text={() => text} />
      </figcaption>
      <WindowedLines
        key={open ? "all" : "some"}
        label={name === "" ? itemWords.code : `Code, ${name}`}
        className="code-lines"
        count={count}
        visible={folds && open ? openLines : foldedLines + 5}
        renderLine={(at) => (
          <div key={from + at} className="code-line">
            <CodeLine text={lines[from + at] ?? ""} tokens={highlighted[from + at]} />
          </div>
        )}
      />
      {folds && (
        <Button variant="ghost" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? itemWords.showLess : itemWords.showAll(plural(lines.length, "line"))}
        </Button>
      )}
    </figure>
  );
}
