import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Spinner } from "./spinner.tsx";

/** Look of a button: one `primary` in a view, `danger` for actions that cannot be undone. */
export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";

interface ButtonProps extends ComponentProps<"button"> {
  readonly variant?: ButtonVariant | undefined;
  readonly size?: "small" | "medium" | undefined;
  /** Before the text. */
  readonly icon?: ReactNode;
  /** Shows a spinner, and takes no clicks. */
  readonly busy?: boolean | undefined;
}

/** A button with text. */
export function Button({ variant = "secondary", size = "medium", icon, busy = false, ...props }: ButtonProps) {
  const { className, children, disabled, ...rest } = props;
  return (
    <button
      type="button"
      {...rest}
      className={classNames("ui-button", `ui-button-${variant}`, size === "small" && "ui-button-small", className)}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
    >
      {busy ? <Spinner /> : icon}
      {children !== undefined && <span className="ui-button-text">{children}</span>}
    </button>
  );
}
