import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Tooltip } from "./tooltip.tsx";

interface IconButtonProps extends ComponentProps<"button"> {
  /** The accessible name, also shown as a tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
  /** Keys to show in the tooltip, as {@link Kbd} takes them. */
  readonly shortcut?: string | undefined;
  readonly variant?: "ghost" | "primary" | "danger" | undefined;
  /** Something is switched on. */
  readonly active?: boolean | undefined;
}

/** A square button with an icon. */
export function IconButton({ label, icon, shortcut, variant = "ghost", active, ...props }: IconButtonProps) {
  const { className, ...rest } = props;
  return (
    <Tooltip label={label} shortcut={shortcut}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={classNames("ui-icon-button", `ui-icon-button-${variant}`, active === true && "is-active", className)}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
