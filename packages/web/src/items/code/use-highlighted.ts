import { useEffect, useState } from "react";
import { HighlightedText } from "./highlighter.ts";
import type { CodeTokens } from "./token-kinds.ts";

const none: readonly CodeTokens[] = [];

/** Options of highlighting. */
export interface HighlightOptions {
  /** Null leaves the text plain. */
  readonly language: string | null;
  /** Nothing will be added to the text. */
  readonly complete: boolean;
}

/** The highlighted lines of a text so far, from the first. They come later than the text, and more may follow. */
export function useHighlighted(text: string, { language, complete }: HighlightOptions): readonly CodeTokens[] {
  const [, redraw] = useState(0);
  const [highlighted, setHighlighted] = useState<HighlightedText | null>(null);
  useEffect(() => {
    if (language === null) return;
    const made = new HighlightedText(language, () => redraw((count) => count + 1));
    setHighlighted(made);
    return () => {
      made.dispose();
      setHighlighted(null);
    };
  }, [language]);
  useEffect(() => {
    if (highlighted === null) return;
    const before = highlighted.lines;
    highlighted.update(text, complete);
    if (highlighted.lines !== before) redraw((count) => count + 1);
  }, [highlighted, text, complete]);
  return highlighted?.lines ?? none;
}
