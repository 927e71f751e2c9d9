import { useEffect, useState } from "react";

/** How long a question is in sight before it can be answered: a click or a key that was meant for something else is over by then. */
const settleMs = 500;

/** Whether what calls this has been in sight for a moment. It begins anew when the page comes back into sight. */
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
