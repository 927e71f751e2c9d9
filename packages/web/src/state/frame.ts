/** Runs something soon, once. */
export type Schedule = (run: () => void) => void;

/** Browsers draw no frames for hidden pages; titles and notifications still have to follow. */
const hiddenPauseMs = 250;
/** A frame that costs less needs no pause after it. */
const cheapMs = 12;
/** However much a frame costs, the next one is not put off for longer. */
const longestPauseMs = 250;

/**
 * The schedule of a browser page: before the next frame, or, in a page that nobody sees, a few times a second. After a
 * frame that took long to draw it leaves as much time for everything else, so that the page can be used while much text
 * streams on a slow machine.
 */
export function browserFrames(): Schedule {
  let restUntilMs = 0;
  const draw = (run: () => void): void => {
    const began = performance.now();
    run();
    // A timer set within a frame runs after the frame was laid out and painted.
    setTimeout(() => {
      const cost = performance.now() - began;
      restUntilMs = cost < cheapMs ? 0 : performance.now() + Math.min(cost, longestPauseMs);
    });
  };
  return (run) => {
    const rest = restUntilMs - performance.now();
    if (document.visibilityState !== "visible") setTimeout(run, hiddenPauseMs);
    else if (rest > 0) setTimeout(() => requestOrRun(() => draw(run)), rest);
    else requestOrRun(() => draw(run));
  };
}

/** Draws before the next frame, or by a timer: a page that is hidden meanwhile gets no frame. */
function requestOrRun(draw: () => void): void {
  let done = false;
  const once = (): void => {
    if (done) return;
    done = true;
    clearTimeout(timer);
    draw();
  };
  const timer = setTimeout(once, hiddenPauseMs);
  requestAnimationFrame(once);
}

/** Lets many changes lead to one run. */
export function oncePerFrame(run: () => void, schedule: Schedule): () => void {
  let planned = false;
  return () => {
    if (planned) return;
    planned = true;
    schedule(() => {
      planned = false;
      run();
    });
  };
}
