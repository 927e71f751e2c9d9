import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import type { SlashCommand } from "./slash-commands.ts";
import { type Suggestion, type SuggestionSources, type Suggestions, useSuggestions } from "./suggestions.ts";
import { completeTrigger, type Trigger, triggerAt } from "./trigger.ts";

/** Options of completion. */
export interface CompletionOptions {
  readonly textarea: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly sources: SuggestionSources;
  /** A command was chosen that needs nothing behind it. */
  readonly onCommand: (command: SlashCommand) => void;
}

/** Completion of the word at the caret. */
export interface Completion {
  /** The word, while the list is open. */
  readonly trigger: Trigger | undefined;
  readonly found: Suggestions;
  readonly active: number;
  readonly listId: string;
  readonly aria: Readonly<Record<string, string | boolean | undefined>>;
  readonly setActive: (index: number) => void;
  readonly choose: (suggestion: Suggestion) => void;
  readonly close: () => void;
  readonly onCaret: (caret: number) => void;
  /** True where the key was for the list. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
}

/** Opens a list of suggestions for words that begin with `@`, `$` or `/`. */
export function useCompletion(options: CompletionOptions): Completion {
  const { textarea, text, setText, sources, onCommand } = options;
  const [caret, setCaret] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  /** Start of the word for which the list was closed, by Esc or by completing it: it stays closed for that word. */
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const caretAfter = useRef<number | null>(null);
  const listId = useId();
  const word = caret === null ? undefined : triggerAt(text, caret);
  const trigger = word !== undefined && word.start !== closedAt ? word : undefined;
  const found = useSuggestions(trigger, sources);
  const current = Math.min(active, Math.max(0, found.items.length - 1));

  useLayoutEffect(() => {
    if (caretAfter.current === null) return;
    textarea.current?.setSelectionRange(caretAfter.current, caretAfter.current);
    caretAfter.current = null;
  });

  const choose = (suggestion: Suggestion): void => {
    if (trigger === undefined) return;
    const { command } = suggestion;
    setActive(0);
    if (command !== undefined && command.argument !== "required") {
      setCaret(null);
      onCommand(command);
      return;
    }
    const completed = completeTrigger(text, trigger, suggestion.insert);
    setText(completed.text);
    setCaret(completed.caret);
    caretAfter.current = completed.caret;
    textarea.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (trigger === undefined) return false;
    const { length } = found.items;
    const chosen = found.items[current];
    const plainEnter = event.key === "Enter" && !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    if (event.key === "ArrowDown" && length > 0) setActive((current + 1) % length);
    else if (event.key === "ArrowUp" && length > 0) setActive((current + length - 1) % length);
    else if ((plainEnter || event.key === "Tab") && chosen !== undefined) choose(chosen);
    else if (event.key === "Escape") setClosedAt(trigger.start);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };

  const isOpen = trigger !== undefined && found.items.length > 0;
  return {
    trigger,
    found,
    active: current,
    listId,
    aria: {
      "aria-autocomplete": "list",
      "aria-controls": isOpen ? listId : undefined,
      "aria-activedescendant": isOpen ? `${listId}-${current}` : undefined,
    },
    setActive,
    choose,
    close: () => setCaret(null),
    onCaret: (at) => {
      setCaret(at);
      if (triggerAt(textarea.current?.value ?? text, at) === undefined) setClosedAt(null);
      if (at !== caret) setActive(0);
    },
    onKeyDown,
  };
}
