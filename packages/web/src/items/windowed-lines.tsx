import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { classNames } from "../ui/class-names.ts";

/** Height of a line of code or output in pixels; the style sheets set the same. */
const lineHeight = 20;

/** Lines rendered beyond what is seen, on each side. */
const overscan = 10;

interface WindowedLinesProps {
  readonly label: string;
  readonly count: number;
  /** Lines that are seen at once, at most. */
  readonly visible: number;
  readonly renderLine: (index: number) => ReactNode;
  /** Begins at its end and stays there while lines are added, until the user scrolls up. */
  readonly follow?: boolean | undefined;
  readonly className?: string | undefined;
  /** Least width of the lines, where it must not depend on which are in sight. */
  readonly minWidth?: string | undefined;
  /** Tells the lines how far they are scrolled sideways, by `--slide`, so that parts of them can stay in place. */
  readonly slides?: boolean | undefined;
}

/** Any number of lines of equal height, of which only those in sight are in the document. */
export function WindowedLines({ label, count, visible, renderLine, ...props }: WindowedLinesProps) {
  const { follow = false, className, minWidth, slides = false } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const following = useRef(follow);
  const rows = Math.min(count, visible);
  const whole = count <= visible;
  const [first, setFirst] = useState(() => (follow ? Math.max(0, count - rows) : 0));

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null && following.current) element.scrollTop = count * lineHeight;
  }, [count]);

  const onScroll = (): void => {
    const element = scroller.current;
    if (element === null) return;
    if (slides) element.style.setProperty("--slide", `${-element.scrollLeft}px`);
    if (whole) return;
    following.current = follow && element.scrollHeight - element.scrollTop - element.clientHeight < lineHeight;
    setFirst(Math.max(0, Math.floor(element.scrollTop / lineHeight)));
  };

  const from = Math.max(0, Math.min(first, count - rows) - overscan);
  const to = Math.min(count, first + rows + overscan);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      ref={scroller}
      className={classNames("items-lines", whole && "items-lines-whole", className)}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      style={whole ? undefined : { maxHeight: rows * lineHeight + 16 }}
      onScroll={whole && !slides ? undefined : onScroll}
    >
      <div
        className="items-lines-sheet"
        style={{ paddingTop: from * lineHeight, minHeight: count * lineHeight, minWidth }}
      >
        {Array.from({ length: to - from }, (_, offset) => renderLine(from + offset))}
      </div>
    </div>
  );
}
