import { ArrowDown } from "lucide-react";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { FoldContext, FoldStore } from "../items/folds.ts";
import type { PendingRequest, ThreadState } from "../state/model.ts";
import { Button } from "../ui/index.ts";
import { threadWords } from "../words/words.ts";
import { Announcer } from "./announcer.tsx";
import { FindBar } from "./find/find-bar.tsx";
import { useFind } from "./find/use-find.ts";
import { LogRows } from "./log-rows.tsx";
import { useFollow } from "./use-follow.ts";

interface ThreadLogProps {
  readonly thread: ThreadState;
  readonly renderRequest: (request: PendingRequest) => ReactNode;
  readonly onLoadOlder: () => void;
}

/** The log of a thread: opens at its end and follows it, until the reader scrolls up. */
export function ThreadLog({ thread, renderRequest, onLoadOlder }: ThreadLogProps) {
  // The rows need to know how much room there is, so they are rendered once the element around them is there.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const follow = useFollow(scroller);
  const { pause } = follow;
  const folds = useMemo(() => new FoldStore(pause), [pause]);
  const unseen = useUnseen(thread, follow.following);
  const find = useFind(thread);
  return (
    <FoldContext value={folds}>
      {find.open && <FindBar find={find} thread={thread} onLoadOlder={onLoadOlder} />}
      <div
        ref={setScroller}
        className="thread-scroller"
        role="log"
        aria-label={threadWords.conversation}
        aria-live="off"
        aria-busy={thread.activeTurn !== null}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        {scroller !== null && (
          <LogRows
            thread={thread}
            scroller={scroller}
            follow={follow}
            found={find.open ? find.current : null}
            term={find.open ? find.term : ""}
            renderRequest={renderRequest}
            onLoadOlder={onLoadOlder}
          />
        )}
      </div>
      {!follow.following && (
        <div className="thread-jump">
          <Button size="small" icon={<ArrowDown size={14} />} onClick={follow.toEnd}>
            {unseen ? threadWords.newMessages : threadWords.jumpEnd}
          </Button>
        </div>
      )}
      <Announcer thread={thread} />
    </FoldContext>
  );
}

/** True when something was added since the log stopped following. */
function useUnseen({ turns, items }: ThreadState, following: boolean): boolean {
  const last = turns.at(-1);
  const lastItem = items.get(last?.itemIds.at(-1) ?? "");
  const seen = useRef<unknown>(undefined);
  const mark = lastItem ?? last;
  if (following || seen.current === undefined) seen.current = mark;
  return seen.current !== mark;
}
