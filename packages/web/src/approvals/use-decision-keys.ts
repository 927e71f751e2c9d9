import { useEffect, useRef } from "react";
import { isBareKey, isTyping } from "../ui/index.ts";
import type { Choice } from "./choices.ts";

/** Lets `y`, `a` and `n` answer while no text field has the focus and no dialog is open. */
export function useDecisionKeys(choices: readonly Choice[], onChoose: (choice: Choice) => void): void {
  const latest = useRef({ choices, onChoose });
  latest.current = { choices, onChoose };
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.repeat || event.shiftKey || !isBareKey(event)) return;
      if (isTyping(event.target) || document.querySelector("dialog[open], :popover-open[role], .ui-menu") !== null)
        return;
      const choice = latest.current.choices.find((each) => each.hotkey === event.key);
      if (choice === undefined) return;
      event.preventDefault();
      latest.current.onChoose(choice);
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}
