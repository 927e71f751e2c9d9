import { useEffect, useRef } from "react";
import { isBareKey, isTyping } from "../ui/index.ts";

/** Actions on the shortcuts that hold anywhere. One that is left out does nothing. */
export interface ShortcutActions {
  readonly palette?: (() => void) | undefined;
  readonly sidebar?: (() => void) | undefined;
  readonly terminal?: (() => void) | undefined;
  readonly stop?: (() => void) | undefined;
  readonly settings?: (() => void) | undefined;
  readonly message?: (() => void) | undefined;
  readonly overview?: (() => void) | undefined;
}

const keys: ReadonlyMap<string, keyof ShortcutActions> = new Map(
  Object.entries<keyof ShortcutActions>({
    k: "palette",
    b: "sidebar",
    j: "terminal",
    ".": "stop",
    ",": "settings",
  }),
);

/** Keys on their own, which do nothing while one is writing. */
const bareKeys: ReadonlyMap<string, keyof ShortcutActions> = new Map(
  Object.entries<keyof ShortcutActions>({ "?": "overview", m: "message" }),
);

/** Listens for the shortcuts that hold anywhere. Not while a dialog is open, which has keys of its own. */
export function useShortcuts(actions: ShortcutActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
      const isMod = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      const name = isMod
        ? keys.get(event.key.toLowerCase())
        : isBareKey(event) && !isTyping(event.target)
          ? bareKeys.get(event.key)
          : undefined;
      const action = name === undefined ? undefined : latest.current[name];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}
