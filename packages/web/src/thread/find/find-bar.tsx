import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import type { ThreadState } from "../../state/model.ts";
import { IconButton, TextInput, useReturnFocus } from "../../ui/index.ts";
import { threadWords } from "../../words/words.ts";
import type { Find } from "./use-find.ts";

interface FindBarProps {
  readonly find: Find;
  readonly thread: ThreadState;
  readonly onLoadOlder: () => void;
}

/** Finds words in the whole thread: what is not loaded yet is loaded while it is open. */
export function FindBar({ find, thread, onLoadOlder }: FindBarProps): ReactNode {
  const { term, hits, at, setTerm, step, close } = find;
  const { olderCursor, loadingOlder } = thread;
  const bar = useRef<HTMLElement>(null);
  useReturnFocus(bar);
  useEffect(() => {
    if (olderCursor !== null && !loadingOlder) onLoadOlder();
  }, [olderCursor, loadingOlder, onLoadOlder]);
  const count = hits.length === 0 ? threadWords.noResults : `${at + 1} of ${hits.length}`;
  return (
    <search ref={bar} className="thread-find">
      <TextInput
        type="search"
        aria-label={threadWords.findThread}
        placeholder={threadWords.findThread}
        autoComplete="off"
        spellCheck={false}
        value={term}
        onChange={(event) => setTerm(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") close();
          else if (event.key === "Enter" && hits.length > 0) step(event.shiftKey ? -1 : 1);
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span className="thread-find-count" role="status">
        {term.trim() === "" ? "" : count}
        {olderCursor !== null && " …"}
      </span>
      <IconButton
        label={threadWords.previousResult}
        shortcut="Shift+Enter"
        icon={<ChevronUp size={16} />}
        disabled={hits.length === 0}
        onClick={() => step(-1)}
      />
      <IconButton
        label={threadWords.nextResult}
        shortcut="Enter"
        icon={<ChevronDown size={16} />}
        disabled={hits.length === 0}
        onClick={() => step(1)}
      />
      <IconButton label={threadWords.closeSearch} shortcut="Escape" icon={<X size={16} />} onClick={close} />
    </search>
  );
}
