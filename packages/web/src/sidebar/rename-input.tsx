import { type ReactNode, useRef } from "react";
import { messageOf, type ThreadKey } from "../state/index.ts";
import { useActions } from "../state/react.tsx";

/** Props of {@link RenameInput}. */
export interface RenameInputProps {
  readonly threadKey: ThreadKey;
  readonly name: string;
  readonly onDone: () => void;
}

/** A thread's name while it is changed: Enter or leaving the field keeps it, Esc does not. */
export function RenameInput({ threadKey, name, onDone }: RenameInputProps): ReactNode {
  const actions = useActions();
  const ended = useRef(false);
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
      aria-label="Thread name"
      defaultValue={name}
      ref={(input) => {
        if (input !== null && document.activeElement !== input) {
          input.focus();
          input.select();
        }
      }}
      onBlur={(event) => end(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") end(event.currentTarget.value);
        if (event.key === "Escape") {
          event.stopPropagation();
          end(null);
        }
      }}
    />
  );
}
