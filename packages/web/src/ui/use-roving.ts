import { type KeyboardEvent, type RefObject, useLayoutEffect } from "react";

/** Options of the roving focus. */
export interface Roving {
  /** Finds the parts that can have the focus. */
  readonly selector: string;
  /** Focuses one of them when this turns true; leave it out where they are always there. */
  readonly open?: boolean | undefined;
  /** Selector of the element to start with; else the first. */
  readonly start?: string | undefined;
  readonly orientation?: "vertical" | "horizontal" | undefined;
}

/** Focus that wanders by arrow keys, Home, End and first letters. Gives the key handler. */
export function useRoving(
  container: RefObject<HTMLElement | null>,
  { selector, open = false, start, orientation = "vertical" }: Roving,
): (event: KeyboardEvent) => void {
  useLayoutEffect(() => {
    if (!open) return;
    const preferred = start === undefined ? null : container.current?.querySelector<HTMLElement>(start);
    (preferred ?? container.current?.querySelector<HTMLElement>(selector))?.focus();
  }, [container, open, selector, start]);

  return (event) => {
    const parts = [...(container.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
    const target = nextPart(parts, event, orientation);
    if (target === undefined) return;
    event.preventDefault();
    target.focus();
  };
}

function nextPart(parts: readonly HTMLElement[], event: KeyboardEvent, orientation: string): HTMLElement | undefined {
  const at = parts.indexOf(document.activeElement as HTMLElement);
  const [back, forth] = orientation === "vertical" ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
  if (event.key === forth) return parts[(at + 1) % parts.length];
  if (event.key === back) return parts.at(at <= 0 ? -1 : at - 1);
  if (event.key === "Home") return parts[0];
  if (event.key === "End") return parts.at(-1);
  if (event.key.length !== 1 || event.key === " " || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const letter = event.key.toLowerCase();
  const after = [...parts.slice(at + 1), ...parts.slice(0, at + 1)];
  return after.find((part) => part.textContent?.trim().toLowerCase().startsWith(letter));
}
