/** Runs something soon, once: before the next frame, or, in a page that nobody sees, a few times a second. */
export type Schedule = (run: () => void) => void;

/** Browsers draw no frames for hidden pages; titles and notifications still have to follow. */
const hiddenPauseMs = 250;

/** The schedule of a browser page. */
export const nextFrame: Schedule = (run) => {
  if (document.visibilityState === "visible") requestAnimationFrame(run);
  else setTimeout(run, hiddenPauseMs);
};

/**
 * Lets many changes lead to one run. A page that is hidden between the request of a frame and the frame gets none, so a
 * timer stands behind it.
 */
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
