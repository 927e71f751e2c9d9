import { useEffect, useRef } from "react";
import { type KeyName, shortcutOf } from "../side-panel/index.ts";

/** Actions on the shortcuts that hold anywhere. One that is left out does nothing. */
export type ShortcutActions = { readonly [Name in KeyName]?: (() => void) | undefined };

/** Listens for the shortcuts that hold anywhere. Not while a dialog is open, which has keys of its own. */
export function useShortcuts(actions: ShortcutActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
      const name = shortcutOf(event);
      const action = name === undefined ? undefined : latest.current[name];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}
