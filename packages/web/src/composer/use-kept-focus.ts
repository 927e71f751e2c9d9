import { type RefObject, useLayoutEffect } from "react";

/** True when the textbox had the focus as the last composer went away. */
let had = false;

/** Keeps the focus when another thread's composer replaces this one. */
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
