import { type ReactNode, useEffect, useState } from "react";
import { keyText } from "../state/model.ts";
import type { PageStore } from "../state/page-store.ts";
import { announcement } from "./attention.ts";

/** Tells assistive tools when a turn ends or a thread waits, wherever the reader is. */
export function LiveRegion({ store }: { readonly store: PageStore }): ReactNode {
  const [text, setText] = useState("");
  useEffect(
    () =>
      store.onAttention((event) => {
        // The thread in view speaks for itself.
        if (!event.seen) setText(announcement(event, store.getState().threads.get(keyText(event.key))));
      }),
    [store],
  );
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}
