import { Fragment } from "react";

const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

const names: Readonly<Record<string, string>> = isMac
  ? { Mod: "⌘", Alt: "⌥", Shift: "⇧", Enter: "↵", Escape: "Esc", ArrowUp: "↑", ArrowDown: "↓" }
  : { Mod: "Ctrl", Enter: "Enter", Escape: "Esc", ArrowUp: "↑", ArrowDown: "↓" };

/** Keys such as `Mod+K` or `y`; `Mod` is Command on a Mac and Ctrl elsewhere. */
export function Kbd({ keys }: { readonly keys: string }) {
  return (
    <span className="ui-keys">
      {keys.split("+").map((key) => (
        <Fragment key={key}>
          <kbd className="ui-kbd">{names[key] ?? (key.length === 1 ? key.toUpperCase() : key)}</kbd>
        </Fragment>
      ))}
    </span>
  );
}
