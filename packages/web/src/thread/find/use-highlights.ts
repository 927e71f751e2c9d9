import { useEffect } from "react";

/** Names of the highlights, as the style sheet has them. */
const allName = "thread-found";
const currentName = "thread-found-current";

/** The current hit: its row, and the number of hits before it in there. */
interface Current {
  readonly row: number;
  readonly nth: number;
}

/** Marks a term in the rows that are in the document, and the current hit more strongly. */
export function useHighlights(scroller: HTMLElement | null, term: string, current: Current | null): void {
  const { row = null, nth = 0 } = current ?? {};
  useEffect(() => {
    // Browsers that cannot mark text still go to it.
    if (scroller === null || term.trim() === "" || !("highlights" in CSS)) return;
    let frame = 0;
    const mark = (): void => {
      frame = 0;
      const ranges = rangesOf(scroller, term.toLocaleLowerCase());
      CSS.highlights.set(allName, new Highlight(...ranges));
      const element = scroller.querySelector(`[data-index="${row}"]`);
      const inRow = ranges.filter((range) => element?.contains(range.startContainer) === true);
      const strong = inRow[Math.min(nth, inRow.length - 1)];
      CSS.highlights.set(currentName, new Highlight(...(strong === undefined ? [] : [strong])));
    };
    const soon = (): void => {
      frame ||= requestAnimationFrame(mark);
    };
    const observer = new MutationObserver(soon);
    observer.observe(scroller, { childList: true, subtree: true, characterData: true });
    soon();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(allName);
      CSS.highlights.delete(currentName);
    };
  }, [scroller, term, row, nth]);
}

/** Every place of a word, given in lower case, in the text of an element. */
export function rangesOf(root: HTMLElement, needle: string): Range[] {
  const ranges: Range[] = [];
  if (needle === "") return ranges;
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    const text = (node.nodeValue ?? "").toLocaleLowerCase();
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + needle.length);
      ranges.push(range);
    }
  }
  return ranges;
}
