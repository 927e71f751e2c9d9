import { useEffect, useState } from "react";

/**
 * Time for which a question is in sight before it can be answered: a click or key that was meant for something else is
 * over by then.
 */
const settleMs = 500;

/** True once the calling component has been in sight for a moment. Starts again when the page comes back into sight. */
export function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = (): void => {
      clearTimeout(timer);
      setSettled(false);
      if (document.visibilityState === "visible") timer = setTimeout(() => setSettled(true), settleMs);
    };
    begin();
    document.addEventListener("visibilitychange", begin);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", begin);
    };
  }, []);
  return settled;
}
