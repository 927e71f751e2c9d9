import { useEffect } from "react";
import { navigate, threadHref } from "../navigation/routes.ts";
import { readPreferences } from "../side-panel/index.ts";
import { arrange, inOrder, neighbour, readNotes } from "../sidebar/index.ts";
import { keyText, type ThreadKey } from "../state/model.ts";
import type { PageStore } from "../state/page-store.ts";

/** Alt with the arrow keys goes through the threads as the sidebar shows them, also while one writes. */
export function useThreadKeys(store: PageStore, current: ThreadKey | null): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      if (document.querySelector("dialog[open]") !== null) return;
      const shown = inOrder(arrangedNow(store, current), readPreferences().threadList === "recent");
      const step = event.key === "ArrowDown" ? 1 : -1;
      const next = neighbour(shown, current === null ? null : keyText(current), step);
      if (next === undefined) return;
      event.preventDefault();
      navigate(threadHref(next.key));
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [store, current]);
}

/** Leads to the next thread that needs the user; false where none does. */
export function goToNext(store: PageStore, current: ThreadKey | null): boolean {
  const [next] = arrangedNow(store, current).needs;
  if (next === undefined) return false;
  navigate(threadHref(next.thread.key));
  return true;
}

function arrangedNow(store: PageStore, current: ThreadKey | null): ReturnType<typeof arrange> {
  const { hubs, threads } = store.getState();
  const shown = current === null ? null : keyText(current);
  return arrange({ hubs, threads, current: shown, notes: readNotes(), nowMs: Date.now() });
}
