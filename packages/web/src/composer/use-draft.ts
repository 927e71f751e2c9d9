import { useCallback, useEffect, useSyncExternalStore } from "react";
import { changeDraft, type Draft, leaveDraft, onDrafts, readDraft, restoreImages } from "./drafts.ts";

/** The message in the making, and how it is changed. */
export interface DraftState extends Draft {
  readonly change: (change: (draft: Draft) => Partial<Draft>) => void;
}

/** A draft that survives a reload, with its images. */
export function useDraft(draftKey: string): DraftState {
  const draft = useSyncExternalStore(onDrafts, () => readDraft(draftKey));
  useEffect(() => {
    void restoreImages(draftKey);
    return () => leaveDraft(draftKey);
  }, [draftKey]);
  const change = useCallback<DraftState["change"]>((by) => changeDraft(draftKey, by), [draftKey]);
  return { ...draft, change };
}
