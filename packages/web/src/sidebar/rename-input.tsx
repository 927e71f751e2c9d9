import { type ReactNode, useRef, useState } from "react";
import { messageOf, type ThreadKey } from "../state/index.ts";
import { useActions } from "../state/react.tsx";
import { sidebarWords } from "../words/words.ts";

interface RenameInputProps {
  readonly threadKey: ThreadKey;
  readonly name: string;
  readonly onDone: () => void;
}

/** A thread's name while it is changed: Enter or leaving the field keeps it, Esc does not. */
export function RenameInput({ threadKey, name, onDone }: RenameInputProps): ReactNode {
  const actions = useActions();
  const ended = useRef(false);
  const [before] = useState(() => document.activeElement);
  const end = (value: string | null): void => {
    if (ended.current) return;
    ended.current = true;
    onDone();
    const next = value?.trim() ?? "";
    if (next === "" || next === name) return;
    actions.rename(threadKey, next).catch((error: unknown) => actions.toast("error", messageOf(error)));
  };
  return (
    <input
      className="sidebar-rename"
      aria-label={sidebarWords.threadName}
      defaultValue={name}
      ref={(input) => {
        if (input !== null && document.activeElement !== input) {
          input.focus();
          input.select();
        }
      }}
      onBlur={(event) => end(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== "Escape") return;
        event.stopPropagation();
        // The key must not press what has the focus next.
        event.preventDefault();
        end(event.key === "Enter" ? event.currentTarget.value : null);
        if (before instanceof HTMLElement && before.isConnected) before.focus();
      }}
    />
  );
}
