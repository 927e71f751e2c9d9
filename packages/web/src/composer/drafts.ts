import type { UserInput } from "@quire/protocol";
import type { TurnOverrides } from "../state/actions.ts";
import { textOf } from "./build-input.ts";
import { keepImages, keptImages } from "./draft-images.ts";
import { type AttachedImage, imagesOf } from "./images.ts";

/** A message that is not sent yet. */
export interface Draft {
  readonly text: string;
  /** Choices for the next turn. */
  readonly overrides: TurnOverrides;
  readonly images: readonly AttachedImage[];
}

const prefix = "quire:draft:";
/** Longer texts are kept until the page is left, no longer. */
const maxLength = 100_000;
const maxDrafts = 50;
/** The drafts that this page has shown, by the key of the thread. */
const drafts = new Map<string, Draft>();
const restored = new Set<string>();
const listeners = new Set<() => void>();

/** The draft of a thread, empty where there is none; the same object until it changes. */
export function readDraft(key: string): Draft {
  const known = drafts.get(key);
  if (known !== undefined) return known;
  const draft = { ...stored(key), images: [] };
  drafts.set(key, draft);
  return draft;
}

/** Changes the draft of a thread and keeps it, whether it is in view or not: a message that fails late is not lost. */
export function changeDraft(key: string, change: (draft: Draft) => Partial<Draft>): void {
  const before = readDraft(key);
  const draft = { ...before, ...change(before) };
  drafts.set(key, draft);
  if (draft.text !== before.text || draft.overrides !== before.overrides) store(key, draft);
  if (draft.images !== before.images) void keepImages(key, draft.images);
  for (const listener of listeners) listener();
}

/** Brings the images of an earlier visit back, before those that were added since. */
export async function restoreImages(key: string): Promise<void> {
  if (restored.has(key)) return;
  restored.add(key);
  const kept = await keptImages(key);
  const isNew = (draft: Draft, image: AttachedImage): boolean => draft.images.every(({ id }) => id !== image.id);
  const missing = kept.filter((image) => isNew(readDraft(key), image));
  if (missing.length > 0) changeDraft(key, (draft) => ({ images: [...missing, ...draft.images] }));
}

/** Forgets a draft that is out of sight. It is read from storage again the next time: another tab may change it. */
export function leaveDraft(key: string): void {
  const draft = drafts.get(key);
  if (draft === undefined || draft.images.length > 0 || stored(key).text !== draft.text) return;
  drafts.delete(key);
  restored.delete(key);
}

/** Puts a message that could not be sent into a thread's draft, before what was written there since. */
export function keepUnsent(key: string, input: readonly UserInput[], overrides: TurnOverrides): void {
  changeDraft(key, (draft) => ({
    text: [textOf(input), draft.text].filter(Boolean).join("\n"),
    images: [...imagesOf(input), ...draft.images],
    overrides: { ...overrides, ...draft.overrides },
  }));
}

/** Listens to changes of any draft; the returned function stops that. */
export function onDrafts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function stored(key: string): Omit<Draft, "images"> {
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

/** An empty draft is removed. With too many drafts, the oldest are removed. */
function store(key: string, { text, overrides }: Draft): void {
  try {
    if (text === "" && Object.keys(overrides).length === 0) {
      localStorage.removeItem(prefix + key);
      return;
    }
    if (text.length > maxLength) return;
    localStorage.setItem(prefix + key, JSON.stringify({ text, overrides, at: Date.now() }));
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
