import { type RefObject, useEffect, useRef } from "react";

/** Calls `onOutside` when something outside all of the elements is pressed, while `active`. */
export function useOutside(
  inside: readonly RefObject<HTMLElement | null>[],
  active: boolean,
  onOutside: () => void,
): void {
  const latest = useRef({ inside, onOutside });
  latest.current = { inside, onOutside };
  useEffect(() => {
    if (!active) return;
    const pressed = (event: PointerEvent): void => {
      const target = event.target as Node;
      if (latest.current.inside.every((each) => each.current?.contains(target) !== true)) latest.current.onOutside();
    };
    document.addEventListener("pointerdown", pressed, true);
    return () => document.removeEventListener("pointerdown", pressed, true);
  }, [active]);
}
