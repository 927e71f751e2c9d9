import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { controlWords } from "../words/words.ts";
import { classNames } from "./class-names.ts";
import { IconButton } from "./icon-button.tsx";

interface DialogProps {
  /** The accessible name; also the heading, unless `bare`. */
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
  readonly size?: "small" | "medium" | "large" | undefined;
  /** Without heading, close button and padding. */
  readonly bare?: boolean | undefined;
  readonly className?: string | undefined;
}

/**
 * A modal dialog, shown as long as it is rendered. It holds the focus, closes by Esc or a press beside it, and gives the
 * focus back to where it was.
 */
export function Dialog({ title, onClose, children, footer, size = "medium", bare = false, className }: DialogProps) {
  const headingId = useId();
  const element = useModal();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc arrives as `cancel`
    <dialog
      ref={element}
      className={classNames("ui-dialog", `ui-dialog-${size}`, className)}
      aria-label={bare ? title : undefined}
      aria-labelledby={bare ? undefined : headingId}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      {bare ? (
        children
      ) : (
        <div className="ui-dialog-body">
          <header className="ui-dialog-head">
            <h2 id={headingId} tabIndex={-1}>
              {title}
            </h2>
            <IconButton label={controlWords.close} icon={<X size={16} />} onClick={onClose} />
          </header>
          <div className="ui-dialog-content">{children}</div>
          {footer !== undefined && <footer className="ui-dialog-foot">{footer}</footer>}
        </div>
      )}
    </dialog>
  );
}

/** Opens a `dialog` element as a modal while it is mounted; closing it gives the focus back. */
export function useModal() {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // Opening focuses the first button, which closes it: what it is about is the better start.
    const heading = dialog?.querySelector<HTMLElement>("h2[tabindex]");
    if (document.activeElement?.matches(".ui-dialog-head button") === true) heading?.focus();
    return () => dialog?.close();
  }, []);
  return element;
}
