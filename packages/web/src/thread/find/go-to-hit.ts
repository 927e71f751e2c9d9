import { rangesOf } from "./use-highlights.ts";

interface Goal {
  readonly scroller: HTMLElement;
  readonly row: number;
  /** The word, in lower case, and the number of those in the row that come before it. */
  readonly needle: string;
  readonly nth: number;
  /** Brings the row into the document. */
  readonly showRow: () => void;
}

/** Rows above are measured as they come into sight, which moves the goal: it is approached for so many frames at most. */
const maxFrames = 40;

/** Scrolls until a word is in sight, in the middle if it was not. The returned function stops that. */
export function goToHit({ scroller, row, needle, nth, showRow }: Goal): () => void {
  let frame = 0;
  let tries = 0;
  let calm = 0;
  const step = (): void => {
    const element = scroller.querySelector<HTMLElement>(`[data-index="${row}"]`);
    if (element === null) showRow();
    else calm = centre(scroller, element, { needle, nth }) ? calm + 1 : 0;
    // Twice the same: nothing above is measured any more.
    if (calm < 2 && ++tries < maxFrames) frame = requestAnimationFrame(step);
  };
  step();
  return () => cancelAnimationFrame(frame);
}

/** Moves towards the word; true where it was in sight already. */
function centre(scroller: HTMLElement, row: HTMLElement, { needle, nth }: Pick<Goal, "needle" | "nth">): boolean {
  const ranges = rangesOf(row, needle);
  // A word of folded content has no place: its row has.
  const place = (ranges[Math.min(nth, ranges.length - 1)] ?? row).getBoundingClientRect();
  const log = scroller.getBoundingClientRect();
  if (place.top >= log.top && place.top + Math.min(place.height, log.height) <= log.bottom) return true;
  const before = scroller.scrollTop;
  scroller.scrollTop += place.top - (log.top + log.height / 3);
  return scroller.scrollTop === before;
}
