import { useSyncExternalStore } from "react";

/** Preferences of the user in this browser. */
export interface Preferences {
  readonly theme: "system" | "dark" | "light";
  /** Browser notifications when a turn ends or waits. Asking for permission is the settings' job. */
  readonly notifications: boolean;
  /** The key that sends a message; the other one makes a new line. */
  readonly sendKey: "enter" | "modEnter";
  /** Effect of sending while a turn runs. */
  readonly followUp: "steer" | "queue";
}

const storageKey = "quire:preferences";
const defaults: Preferences = { theme: "system", notifications: false, sendKey: "enter", followUp: "steer" };
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
      ...(isOneOf(value.theme, ["system", "dark", "light"]) && { theme: value.theme }),
      ...(typeof value.notifications === "boolean" && { notifications: value.notifications }),
      ...(isOneOf(value.sendKey, ["enter", "modEnter"]) && { sendKey: value.sendKey }),
      ...(isOneOf(value.followUp, ["steer", "queue"]) && { followUp: value.followUp }),
    };
  } catch {
    return {};
  }
}

const isOneOf = <T extends string>(value: unknown, choices: readonly T[]): value is T => choices.includes(value as T);
