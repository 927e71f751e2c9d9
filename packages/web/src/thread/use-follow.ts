import { useCallback, useLayoutEffect, useRef, useState } from "react";

/** So close to the end, scrolling down means: follow again. */
const nearEnd = 40;

/** State of following, and the functions that change it. */
export interface Follow {
  /** For rendering. */
  readonly following: boolean;
  /** The same, as it is at this moment. */
  readonly isFollowing: () => boolean;
  /** Goes to the end if the log follows. Called after every change of heights, before it is painted. */
  readonly settle: () => void;
  /** The log was scrolled only to keep what is seen in its place: that is no move of the reader. */
  readonly corrected: () => void;
  /** Goes to the end and follows from now on. */
  readonly toEnd: () => void;
  /** Keeps a part in place that is opened or closed: the log continues to follow only if its end is in sight. */
  readonly pause: () => void;
}

/**
 * The log follows its end until the reader scrolls up, and again once the reader is back at the end. Whoever moves up
 * even a little is not pulled down; what only moved because rows above shrank ends at the end, and continues following.
 */
export function useFollow(scroller: HTMLElement | null): Follow {
  const follows = useRef(true);
  const lastTop = useRef(0);
  const lastEnd = useRef<Heights | null>(null);
  const [following, setFollowing] = useState(true);

  const change = useCallback((next: boolean) => {
    follows.current = next;
    lastEnd.current = null;
    setFollowing(next);
  }, []);
  const settle = useCallback(() => {
    if (scroller === null || !follows.current) return;
    const { scrollHeight, clientHeight } = scroller;
    const isSame = lastEnd.current?.scrollHeight === scrollHeight && lastEnd.current.clientHeight === clientHeight;
    if (distanceToEnd(scroller) > 1) {
      // It was at its end, and is as high as it was: so the reader has left, and the scroll event is on its way.
      if (isSame) return;
      scroller.scrollTop = scrollHeight;
      lastTop.current = scroller.scrollTop;
    }
    if (!isSame) lastEnd.current = { scrollHeight, clientHeight };
  }, [scroller]);
  const onScroll = useCallback(() => {
    if (scroller === null) return;
    const distance = distanceToEnd(scroller);
    const moved = scroller.scrollTop - lastTop.current;
    lastTop.current = scroller.scrollTop;
    if (moved < -0.5) change(distance <= 1);
    else if (moved > 0.5 && distance <= nearEnd) change(true);
    else settle();
  }, [scroller, change, settle]);
  const corrected = useCallback(() => {
    lastTop.current = scroller?.scrollTop ?? 0;
  }, [scroller]);
  useLayoutEffect(() => {
    // Before the rows hear of it: they may ask at once whether the log follows.
    scroller?.addEventListener("scroll", onScroll, { capture: true, passive: true });
    return () => scroller?.removeEventListener("scroll", onScroll, { capture: true });
  }, [scroller, onScroll]);
  const toEnd = useCallback(() => {
    change(true);
    settle();
  }, [change, settle]);
  const pause = useCallback(() => {
    follows.current = false;
    // Once it is laid out, the end may still be in sight; no scroll event would tell.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (scroller !== null) change(distanceToEnd(scroller) <= nearEnd);
      }),
    );
  }, [scroller, change]);
  const isFollowing = useCallback(() => follows.current, []);
  return { following, isFollowing, settle, corrected, toEnd, pause };
}

/** Heights of a log and of its visible part. */
type Heights = Pick<HTMLElement, "scrollHeight" | "clientHeight">;

const distanceToEnd = (element: HTMLElement): number => element.scrollHeight - element.scrollTop - element.clientHeight;
