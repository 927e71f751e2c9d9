import { type RefObject, useLayoutEffect } from "react";

/** Lets a textarea be as high as its text; CSS bounds it. */
export function useAutoGrow(textarea: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const element = textarea.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [textarea, text]);
}
