import { useSyncExternalStore } from "react";

/** Preferences of the user in this browser. */
export interface Preferences {
  readonly theme: (typeof themes)[number];
  readonly fontSize: (typeof fontSizes)[number];
  /** Browser notifications when a turn ends or waits. Asking for permission is the settings' job. */
  readonly notifications: boolean;
  /** The key that sends a message; the other one makes a new line. */
  readonly sendKey: "enter" | "modEnter";
  /** Effect of sending while a turn runs. */
  readonly followUp: "steer" | "queue";
  /** The sidebar's order: by server and folder, or all threads in one list. */
  readonly threadList: "servers" | "recent";
  /** Keys that the user chose, by the name of their shortcut. */
  readonly keys: Readonly<Record<string, string>>;
}

/** Themes to choose from. */
export const themes = ["system", "light", "paper", "dark", "midnight"] as const;
/** Sizes of the text to choose from. */
export const fontSizes = ["small", "normal", "large", "larger"] as const;

const storageKey = "quire:preferences";
const defaults: Preferences = {
  theme: "system",
  fontSize: "normal",
  notifications: false,
  sendKey: "enter",
  followUp: "steer",
  threadList: "servers",
  keys: {},
};
const listeners = new Set<() => void>();
let current: Preferences | undefined;

/** The preferences as they are now. */
export function readPreferences(): Preferences {
  current ??= { ...defaults, ...stored() };
  return current;
}

/** Changes some of the preferences, here and in every other tab. */
export function writePreferences(change: Partial<Preferences>): void {
  current = { ...readPreferences(), ...change };
  try {
    localStorage.setItem(storageKey, JSON.stringify(current));
  } catch {
    // A browser that stores nothing still gets the choice until it reloads.
  }
  for (const listener of listeners) listener();
}

/** Hears of changes, also of those made in other tabs. The returned function stops that. */
export function onPreferences(listener: () => void): () => void {
  const elsewhere = (event: StorageEvent): void => {
    if (event.key !== storageKey) return;
    current = undefined;
    listener();
  };
  listeners.add(listener);
  addEventListener("storage", elsewhere);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", elsewhere);
  };
}

/** The preferences, for a component. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(onPreferences, readPreferences);
}

/** Stored preferences, without those that this version does not know. */
function stored(): Partial<Preferences> {
  try {
    const value = JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Record<string, unknown>;
    return {
      ...(isOneOf(value.theme, themes) && { theme: value.theme }),
      ...(isOneOf(value.fontSize, fontSizes) && { fontSize: value.fontSize }),
      ...(typeof value.notifications === "boolean" && { notifications: value.notifications }),
      ...(isOneOf(value.sendKey, ["enter", "modEnter"]) && { sendKey: value.sendKey }),
      ...(isOneOf(value.followUp, ["steer", "queue"]) && { followUp: value.followUp }),
      ...(isOneOf(value.threadList, ["servers", "recent"]) && { threadList: value.threadList }),
      keys: keysIn(value.keys),
    };
  } catch {
    return {};
  }
}

/** Stored keys: texts by the names of shortcuts. */
function keysIn(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

const isOneOf = <T extends string>(value: unknown, choices: readonly T[]): value is T => choices.includes(value as T);
