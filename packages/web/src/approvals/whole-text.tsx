import { useState } from "react";
import { formatNumber, plural } from "../items/format.ts";
import { Button, Visible } from "../ui/index.ts";
import { questionWords } from "../words/words.ts";

/** Characters that are shown before the rest is asked for: a browser takes its time with more. */
const shownLength = 20_000;
/** From here on it says how much there is, for what scrolls may look like the whole. */
const longLength = 500;
const manyLines = 6;

interface WholeTextProps {
  readonly text: string;
  /** It is typed into a program: keys such as Enter are shown by their names. */
  readonly isTyped?: boolean | undefined;
}

/** A command, input or data in a question: all of it, in a box that scrolls, and how much that is. */
export function WholeText({ text, isTyped = false }: WholeTextProps) {
  const [all, showAll] = useState(false);
  const shown = all ? text : text.slice(0, shownLength);
  const lines = text.split("\n").length;
  const left = text.length - shown.length;
  return (
    <div className="approvals-whole">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="approvals-command" tabIndex={0}>
        <code>
          <Visible text={shown} keys={isTyped} />
        </code>
      </pre>
      {(text.length > longLength || lines > manyLines) && (
        <p className="approvals-hint">
          {plural(lines, "line")}, {plural(text.length, "character")}
          {left > 0 && (
            <Button variant="ghost" size="small" onClick={() => showAll(true)}>
              {questionWords.show} {formatNumber(left)} {questionWords.moreCharacters}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}
