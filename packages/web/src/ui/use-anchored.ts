import { type RefObject, useLayoutEffect } from "react";

/** Position of a floating part, relative to its anchor. */
export interface Anchoring {
  readonly open: boolean;
  readonly side?: "above" | "below" | undefined;
  readonly align?: "start" | "end" | "center" | undefined;
}

const gap = 4;
const margin = 8;

/**
 * Keeps a `popover` element in the top layer beside its anchor while it is open, flipped and shifted to stay on the
 * screen. The position is handed to CSS as `--ui-x` and `--ui-y`, so that a narrow screen may ignore it.
 */
export function useAnchored(
  anchor: RefObject<HTMLElement | null>,
  floating: RefObject<HTMLElement | null>,
  { open, side = "below", align = "start" }: Anchoring,
): void {
  useLayoutEffect(() => {
    const element = floating.current;
    if (!open || element === null) return;
    element.showPopover();
    const place = (): void => {
      const at = anchor.current?.getBoundingClientRect();
      if (at === undefined) return;
      const { offsetWidth: width, offsetHeight: height } = element;
      const below = at.bottom + gap;
      const above = at.top - gap - height;
      const fitsBelow = below + height + margin <= innerHeight;
      const fitsAbove = above >= margin;
      const y = side === "below" ? (fitsBelow || !fitsAbove ? below : above) : fitsAbove || !fitsBelow ? above : below;
      const start = { start: at.left, end: at.right - width, center: at.left + (at.width - width) / 2 }[align];
      element.style.setProperty("--ui-x", `${clamp(start, margin, innerWidth - width - margin)}px`);
      element.style.setProperty("--ui-y", `${clamp(y, margin, innerHeight - height - margin)}px`);
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(element);
    addEventListener("resize", place);
    addEventListener("scroll", place, true);
    return () => {
      observer.disconnect();
      removeEventListener("resize", place);
      removeEventListener("scroll", place, true);
      if (element.isConnected && element.matches(":popover-open")) element.hidePopover();
    };
  }, [anchor, floating, open, side, align]);
}

const clamp = (value: number, low: number, high: number): number => Math.round(Math.max(low, Math.min(value, high)));
