import { type ReactNode, useEffect, useState } from "react";
import { TextInput } from "../ui/index.ts";
import { boardWords } from "../words/words.ts";

/** Pause in typing after which the search begins, in milliseconds. */
const pauseMs = 250;

/** Finds issues by words, also those that are not loaded. */
export function SearchBox({ onSearch }: { readonly onSearch: (words: string) => void }): ReactNode {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    if (text === null) return;
    const timer = setTimeout(() => onSearch(text.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [text, onSearch]);
  return (
    <TextInput
      type="search"
      className="board-search"
      aria-label={boardWords.search}
      placeholder={boardWords.searchHint}
      value={text ?? ""}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
