import { useSyncExternalStore } from "react";

let target: string | null = null;
const listeners = new Set<() => void>();

/** Shows a dev server beside the thread. */
export function showPreview(address: string): void {
  target = address;
  for (const listener of listeners) listener();
}

/** The address that is shown. */
export function usePreview(): string | null {
  return useSyncExternalStore(subscribe, () => target);
}

/**
 * Reads a port or the address of a dev server on this machine; null for any other. The host is the loopback name that
 * this page is not at: cookies know no ports, and this page's own must not go to the server there.
 */
export function previewAddress(text: string): string | null {
  const words = text.trim();
  const url = URL.parse(
    /^\d{1,5}$/.test(words) ? `http://localhost:${words}` : words.includes("://") ? words : `http://${words}`,
  );
  if (url === null || url.protocol !== "http:" || url.username !== "" || url.password !== "") return null;
  if (!/^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(url.hostname)) return null;
  if (url.port === location.port) return null;
  url.hostname = location.hostname === "localhost" ? "127.0.0.1" : "localhost";
  return url.href;
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
