import { type VisibleOptions, visibleParts } from "@quire/protocol";
import type { ReactNode } from "react";

/** Props of {@link Visible}. */
export interface VisibleProps extends VisibleOptions {
  readonly text: string;
}

/** Text that somebody else wrote, with a mark for every character that would not be seen, or would reorder the others. */
export function Visible({ text, ...options }: VisibleProps): ReactNode {
  return visibleParts(text, options).map((part, index) =>
    part.isMark ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
      <span key={index} className="ui-hidden-char" title="A hidden character">
        {part.text}
      </span>
    ) : (
      part.text
    ),
  );
}
