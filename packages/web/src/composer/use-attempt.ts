import { useCallback, useRef, useState } from "react";
import { messageOf } from "../state/message-of.ts";

/** Things that may fail, one at a time. */
export interface Attempt {
  readonly busy: boolean;
  /** Why the last one failed, or what else the user should know. */
  readonly problems: readonly string[];
  readonly setProblems: (problems: readonly string[]) => void;
  /** Does something and tells why it failed, after `undo`. Does nothing while another one is under way. */
  readonly attempt: (action: () => Promise<void>, undo: () => void) => Promise<void>;
}

/** Lets one thing be tried at a time: a second Enter must not send twice. */
export function useAttempt(onSettled: () => void): Attempt {
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const running = useRef(false);
  const settled = useRef(onSettled);
  settled.current = onSettled;
  const attempt = useCallback(async (action: () => Promise<void>, undo: () => void) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setProblems([]);
    try {
      await action();
    } catch (error) {
      undo();
      setProblems([messageOf(error)]);
    } finally {
      running.current = false;
      setBusy(false);
      settled.current();
    }
  }, []);
  return { busy, problems, setProblems, attempt };
}
