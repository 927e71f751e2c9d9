import { useCallback, useRef, useState } from "react";

/** So close to the end, scrolling down means: follow again. */
const nearEnd = 40;

/** Whether the log follows what is added. */
export interface Follow {
  /** For rendering. */
  readonly following: boolean;
  /** The same, as it is at this moment. */
  readonly isFollowing: () => boolean;
  /** The element scrolled, whoever did it. */
  readonly onScroll: () => void;
  /** Goes to the end if the log follows. Called after every change of heights, before it is painted. */
  readonly settle: () => void;
  /** Goes to the end and follows from now on. */
  readonly toEnd: () => void;
  /** Something is opened or closed: it stays where it is, and the log only goes on following if its end is in sight. */
  readonly pause: () => void;
}

/**
 * The log follows its end until the reader scrolls up, and again once the reader is back at the end. Whoever moves up
 * even a little is not pulled down; what only moved because rows above shrank ends at the end, and goes on following.
 */
export function useFollow(scroller: HTMLElement | null): Follow {
  const follows = useRef(true);
  const lastTop = useRef(0);
  const [following, setFollowing] = useState(true);

  const change = useCallback((next: boolean) => {
    follows.current = next;
    setFollowing(next);
  }, []);
  const settle = useCallback(() => {
    if (scroller === null || !follows.current || distanceToEnd(scroller) <= 1) return;
    scroller.scrollTop = scroller.scrollHeight;
    lastTop.current = scroller.scrollTop;
  }, [scroller]);
  const onScroll = useCallback(() => {
    if (scroller === null) return;
    const distance = distanceToEnd(scroller);
    const up = scroller.scrollTop < lastTop.current - 0.5;
    lastTop.current = scroller.scrollTop;
    if (up) change(distance <= 1);
    else if (distance <= nearEnd) change(true);
    else settle();
  }, [scroller, change, settle]);
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
  return { following, isFollowing, onScroll, settle, toEnd, pause };
}

const distanceToEnd = (element: HTMLElement): number => element.scrollHeight - element.scrollTop - element.clientHeight;
