import { type Dispatch, type SetStateAction, useEffect, useState } from "react";
import type { TurnOverrides } from "../state/actions.ts";
import { loadDraft, saveDraft } from "./drafts.ts";

/** The text and choices of the message in the making. */
export interface DraftState {
  readonly text: string;
  readonly overrides: TurnOverrides;
  readonly setText: Dispatch<SetStateAction<string>>;
  readonly setOverrides: (overrides: TurnOverrides) => void;
}

/** A draft that survives a reload. The component must be keyed by `draftKey`: a draft is loaded once. */
export function useDraft(draftKey: string): DraftState {
  const [draft] = useState(() => loadDraft(draftKey));
  const [text, setText] = useState(draft.text);
  const [overrides, setOverrides] = useState(draft.overrides);
  useEffect(() => saveDraft(draftKey, { text, overrides }), [draftKey, text, overrides]);
  return { text, overrides, setText, setOverrides };
}
