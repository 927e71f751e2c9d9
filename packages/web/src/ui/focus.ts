import { type RefObject, useLayoutEffect, useState } from "react";

/** Puts the focus where one writes, or, where nothing can be written, on the main part of the page. */
export function focusMain(): void {
  const message = document.querySelector<HTMLElement>("textarea[aria-label=Message]");
  message?.focus();
  const main = document.querySelector("main");
  if (message !== null || main === null) return;
  // For the moment only: a part that always takes the focus would take clicks and the keys that scroll.
  main.tabIndex = -1;
  main.addEventListener("blur", () => main.removeAttribute("tabindex"), { once: true });
  main.focus();
}

/**
 * Gives the focus back when a part goes away that holds it: to where it was when the part came, or to the main part.
 * Modal dialogs do that by themselves.
 */
export function useReturnFocus(part: RefObject<HTMLElement | null>): void {
  const [before] = useState(() => document.activeElement);
  useLayoutEffect(() => {
    const element = part.current;
    return () => {
      if (element?.contains(document.activeElement) !== true) return;
      if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
      else focusMain();
    };
  }, [part, before]);
}
