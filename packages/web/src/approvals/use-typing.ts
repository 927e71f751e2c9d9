import { useEffect, useState } from "react";
import { isTyping } from "../ui/index.ts";

/** True while a text field has the focus: bare letters are then text. */
export function useTyping(): boolean {
  const [typing, setTyping] = useState(() => isTyping(document.activeElement));
  useEffect(() => {
    const look = (): void => setTyping(isTyping(document.activeElement));
    // The focus is nowhere for a moment when it moves.
    const left = (): void => void setTimeout(look);
    document.addEventListener("focusin", look);
    document.addEventListener("focusout", left);
    look();
    return () => {
      document.removeEventListener("focusin", look);
      document.removeEventListener("focusout", left);
    };
  }, []);
  return typing;
}
