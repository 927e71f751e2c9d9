import { type RefObject, useLayoutEffect } from "react";

/** True when the textbox had the focus as the last composer went away. */
let had = false;

/** Lets who writes go on writing in the next thread: a composer that takes the place of another takes its focus too. */
export function useKeptFocus(textarea: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const element = textarea.current;
    if (had && document.activeElement === document.body) element?.focus({ preventScroll: true });
    had = false;
    return () => {
      had = document.activeElement === element;
    };
  }, [textarea]);
}
