import { useDeferredValue, useEffect, useMemo, useState } from "react";
import type { ThreadState } from "../../state/model.ts";
import { findHits, type Hit, isSameHit } from "./find-hits.ts";

/** The search within a thread. */
export interface Find {
  readonly open: boolean;
  readonly term: string;
  readonly hits: readonly Hit[];
  /** Place of the current hit among them; -1 where there is none. */
  readonly at: number;
  readonly current: Hit | null;
  readonly setTerm: (term: string) => void;
  readonly step: (by: 1 | -1) => void;
  readonly close: () => void;
}

const openEvent = "quire-find";

/** Opens the search of the thread in view. */
export const openFind = (): void => void dispatchEvent(new Event(openEvent));

/** Holds the search; it begins at the newest hit. Ctrl/Cmd-F opens it, and a second time the browser's own. */
export function useFind(thread: ThreadState): Find {
  const [open, setOpen] = useState(false);
  const [term, setTerm] = useState("");
  const [chosen, setChosen] = useState<Hit | null>(null);
  const searched = useDeferredValue(open ? term : "");
  const { turns, items } = thread;
  const hits = useMemo(() => findHits({ turns, items }, searched), [turns, items, searched]);
  const known = hits.findIndex((hit) => isSameHit(hit, chosen));
  const at = known >= 0 ? known : hits.length - 1;
  const current = hits[at] ?? null;

  useEffect(() => {
    const show = (): void => {
      setOpen(true);
      requestAnimationFrame(() => document.querySelector<HTMLInputElement>(".thread-find input")?.select());
    };
    const pressed = (event: KeyboardEvent): void => {
      const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === "f";
      const target = event.target instanceof Element ? event.target : null;
      if (!isFind || target?.closest(".thread-find, .side-terminal") || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      show();
    };
    document.addEventListener("keydown", pressed);
    addEventListener(openEvent, show);
    return () => {
      document.removeEventListener("keydown", pressed);
      removeEventListener(openEvent, show);
    };
  }, []);

  return {
    ...{ open, term, hits, at, current },
    setTerm: (words) => {
      setTerm(words);
      setChosen(null);
    },
    step: (by) => setChosen(hits[(at + by + hits.length) % hits.length] ?? null),
    close: () => {
      setOpen(false);
      setChosen(null);
    },
  };
}
