import { memo, useMemo, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { itemWords } from "../../words/words.ts";
import { useFold } from "../folds.ts";
import { plural } from "../format.ts";
import { Blocks } from "./block.tsx";
import { lexMarkdown } from "./lex.ts";
import { continuesAt, SegmentIndex } from "./segments.ts";

/** Segments of a long text that are shown before the user asks for all: about 40 kB. */
const shownSegments = 8;

interface MarkdownProps {
  readonly text: string;
  readonly live?: boolean | undefined;
  /** Under which key folds of its blocks are remembered. */
  readonly foldKey: string;
  readonly className?: string | undefined;
}

/**
 * A piece of markdown, short enough to be parsed at once. Hostile text can look odd, but it cannot run or load
 * anything.
 */
export const MarkdownSegment = memo(function MarkdownSegment({
  text,
  live = false,
  foldKey,
  className,
}: MarkdownProps) {
  const tokens = useMemo(() => lexMarkdown(text), [text]);
  return (
    <div className={classNames("md", className)}>
      <Blocks tokens={tokens} place={{ live, foldKey, depth: 0 }} />
    </div>
  );
});

/** A markdown text of any length; a very long one is cut until the user asks for all of it. */
export function Markdown({ text, live = false, foldKey, className }: MarkdownProps) {
  const index = useRef<SegmentIndex>(null);
  index.current ??= new SegmentIndex();
  const starts = index.current.update(text);
  const [all, showAll] = useFold(`${foldKey}/all`, false);
  const hidden = all ? 0 : Math.max(0, starts.length - shownSegments);
  // While it grows its end is shown, later its beginning.
  const from = live ? hidden : 0;
  return (
    <div className={className}>
      {starts.slice(from, from + starts.length - hidden).map((start, offset) => (
        <MarkdownSegment
          key={start}
          text={text.slice(start, starts[from + offset + 1])}
          live={live && from + offset === starts.length - 1}
          foldKey={`${foldKey}/${start}`}
          className={continuesAt(text, start) ? "md-continues" : undefined}
        />
      ))}
      {hidden > 0 && (
        <Button variant="ghost" size="small" onClick={() => showAll(true)}>
          {itemWords.showAllOf}
          {plural(text.length, "character")})
        </Button>
      )}
    </div>
  );
}
