import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { useModal } from "./dialog.tsx";

interface SheetProps {
  readonly label: string;
  readonly side?: "left" | "right" | "bottom" | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

/** A modal panel at an edge of the screen, shown as long as it is rendered: what a side panel is on a phone. */
export function Sheet({ label, side = "left", onClose, children, className }: SheetProps) {
  const element = useModal();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc arrives as `cancel`
    <dialog
      ref={element}
      className={classNames("ui-sheet", `ui-sheet-${side}`, className)}
      aria-label={label}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className="ui-sheet-body">{children}</div>
    </dialog>
  );
}
