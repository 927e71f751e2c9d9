import { type VisibleOptions, visibleKeys, visibleParts } from "@quire/protocol";
import type { ReactNode } from "react";
import { markHint } from "../jsx/shown-props.ts";

interface VisibleProps extends VisibleOptions {
  readonly text: string;
  /** Keys are shown by their names: for what is typed into a program. */
  readonly keys?: boolean | undefined;
}

/**
 * Text that somebody decides upon, with a mark for every character that would not be seen or would reorder the others.
 * Stricter than what all text of the page goes through: no-break spaces, joiners and long blanks are marked too.
 */
export function Visible({ text, keys = false, ...options }: VisibleProps): ReactNode {
  return (keys ? visibleKeys(text) : visibleParts(text, options)).map((part, index) =>
    part.isMark ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
      <span key={index} className="ui-hidden-char" title={markHint}>
        {part.text}
      </span>
    ) : (
      part.text
    ),
  );
}
