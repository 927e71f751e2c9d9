import type { TurnOverrides } from "../state/actions.ts";

/** A message that is not sent yet. Images are not kept: they would fill the browser's storage. */
export interface Draft {
  readonly text: string;
  /** What was chosen for the next turn. */
  readonly overrides: TurnOverrides;
}

const prefix = "quire:draft:";
/** Longer texts are kept until the page is left, no longer. */
const maxLength = 100_000;
const maxDrafts = 50;

/** The draft of a thread, empty where there is none. */
export function loadDraft(key: string): Draft {
  try {
    const value = JSON.parse(localStorage.getItem(prefix + key) ?? "null") as Partial<Draft> | null;
    return {
      text: typeof value?.text === "string" ? value.text : "",
      overrides: typeof value?.overrides === "object" && value.overrides !== null ? value.overrides : {},
    };
  } catch {
    return { text: "", overrides: {} };
  }
}

/** Keeps the draft of a thread; an empty one is removed. Of too many drafts the oldest go. */
export function saveDraft(key: string, draft: Draft): void {
  try {
    if (draft.text === "" && Object.keys(draft.overrides).length === 0) {
      localStorage.removeItem(prefix + key);
      return;
    }
    if (draft.text.length > maxLength) return;
    localStorage.setItem(prefix + key, JSON.stringify({ ...draft, at: Date.now() }));
    prune();
  } catch {
    // A full or forbidden storage must not keep anybody from writing.
  }
}

function prune(): void {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  if (keys.length <= maxDrafts) return;
  const age = (key: string): number => {
    const at = (JSON.parse(localStorage.getItem(key) ?? "{}") as { readonly at?: unknown }).at;
    return typeof at === "number" ? at : 0;
  };
  const oldestFirst = keys.sort((a, b) => age(a) - age(b));
  for (const key of oldestFirst.slice(0, keys.length - maxDrafts)) localStorage.removeItem(key);
}
