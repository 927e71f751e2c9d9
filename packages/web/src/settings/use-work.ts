import { useState } from "react";
import { messageOf } from "../state/index.ts";

/** Work that a click began, and what became of it. */
export interface Work {
  readonly busy: boolean;
  readonly error: string | null;
  /** A remark on what was done. */
  readonly done: string | null;
  /** Does something; what it resolves with is shown. */
  readonly run: (work: () => Promise<string | null | undefined>) => Promise<boolean>;
}

/** Follows one piece of work at a time. */
export function useWork(): Work {
  const [state, setState] = useState<Omit<Work, "run">>({ busy: false, error: null, done: null });
  const run: Work["run"] = async (work) => {
    setState({ busy: true, error: null, done: null });
    try {
      const done = await work();
      setState({ busy: false, error: null, done: done ?? null });
      return true;
    } catch (error) {
      setState({ busy: false, error: messageOf(error), done: null });
      return false;
    }
  };
  return { ...state, run };
}
