import { useCallback, useSyncExternalStore } from "react";

/** True while a media query holds. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** Narrower than this, the sidebar and the panel beside the thread are sheets. */
export const phoneQuery = "(max-width: 767px)";
/** Narrower than this there is no room for a panel beside the thread, so it lies over it. */
export const narrowQuery = "(max-width: 1099px)";
