import { type ReactNode, useEffect, useRef, useState } from "react";
import { Kbd } from "./kbd.tsx";
import { useAnchored } from "./use-anchored.ts";

interface TooltipProps {
  readonly label: string;
  readonly shortcut?: string | undefined;
  readonly children: ReactNode;
}

/** Long enough that crossing a toolbar shows nothing. */
const delayMs = 500;

/**
 * Shows a label beside its child while the pointer rests on it or the keyboard is there. It repeats the accessible name
 * for the eye, so assistive tools do not get it a second time.
 */
export function Tooltip({ label, shortcut, children }: TooltipProps) {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  const bubble = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useAnchored(anchor, bubble, { open, align: "center" });
  useEffect(() => () => clearTimeout(timer.current), []);

  const hide = (): void => {
    clearTimeout(timer.current);
    setOpen(false);
  };
  const show = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(true), delayMs);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches; what is interactive is its child
    <span
      ref={anchor}
      className="ui-tooltip-anchor"
      onPointerEnter={(event) => event.pointerType === "mouse" && show()}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(":focus-visible") && show()}
      onBlur={hide}
      onKeyDown={hide}
    >
      {children}
      {open && (
        <span ref={bubble} className="ui-tooltip" popover="manual" aria-hidden="true">
          {label}
          {shortcut !== undefined && <Kbd keys={shortcut} />}
        </span>
      )}
    </span>
  );
}
