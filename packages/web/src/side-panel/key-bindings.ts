import { isBareKey, isTyping } from "../ui/index.ts";
import { readPreferences } from "./preferences.ts";

/** Shortcuts that hold anywhere, and that users can change. */
export const defaultKeys = {
  palette: "Mod+K",
  sidebar: "Mod+B",
  terminal: "Mod+J",
  stop: "Mod+.",
  next: "Mod+I",
  previousMessage: "Alt+PageUp",
  nextMessage: "Alt+PageDown",
  settings: "Mod+,",
  message: "m",
  overview: "?",
} as const;

/** A shortcut that users can change. */
export type KeyName = keyof typeof defaultKeys;

/** The keys of a shortcut, as the user or the page chose them. */
export function keysOf(name: KeyName): string {
  return readPreferences().keys[name] ?? defaultKeys[name];
}

/** Keys as they are written: `Mod+K`, `Mod+Shift+K`, or a letter. Undefined for a modifier alone. */
export function keysIn(event: KeyboardEvent): string | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (["Control", "Meta", "Alt", "Shift", "AltGraph", "Dead", "Process"].includes(key)) return undefined;
  const isMod = ctrlKey || metaKey;
  if (!isMod && !altKey) return key.length === 1 ? key : undefined;
  const named = key.length === 1 ? key.toUpperCase() : key;
  return [isMod && "Mod", altKey && "Alt", shiftKey && "Shift", named].filter(Boolean).join("+");
}

/** The shortcut that a key press means here: a letter alone means none while one writes. */
export function shortcutOf(event: KeyboardEvent): KeyName | undefined {
  const keys = keysIn(event);
  if (keys === undefined) return undefined;
  const isBare = !keys.includes("+") || keys === "+";
  if (isBare && (!isBareKey(event) || isTyping(event.target))) return undefined;
  return (Object.keys(defaultKeys) as KeyName[]).find((name) => keysOf(name) === keys);
}
