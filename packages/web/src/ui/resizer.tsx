import { type KeyboardEvent, type PointerEvent, type ReactNode, useCallback, useSyncExternalStore } from "react";

/** Bounds of a part that can be resized, in pixels. */
export interface SizeBounds {
  readonly initial: number;
  readonly min: number;
  readonly max: number;
}

const storageKey = "quire.sizes";
const listeners = new Set<() => void>();
let sizes: Readonly<Record<string, number>> | undefined;

/** The size of a part by its name, kept in this browser, and a function to change it; null gives it its first size. */
export function useSize(
  name: string,
  { initial, min, max }: SizeBounds,
): readonly [number, (size: number | null) => void] {
  const kept = useSyncExternalStore(subscribe, () => read()[name]);
  const set = useCallback(
    (size: number | null): void => {
      const { [name]: _, ...others } = read();
      sizes = size === null ? others : { ...others, [name]: Math.round(Math.min(max, Math.max(min, size))) };
      try {
        localStorage.setItem(storageKey, JSON.stringify(sizes));
      } catch {
        // It then lasts until the page is reloaded.
      }
      for (const listener of listeners) listener();
    },
    [name, min, max],
  );
  return [Math.min(max, Math.max(min, kept ?? initial)), set];
}

interface ResizerProps extends SizeBounds {
  readonly label: string;
  readonly size: number;
  readonly onSize: (size: number | null) => void;
  /** Side of the part on which the resizer lies. */
  readonly edge: "left" | "right" | "top";
}

/** Pixels of one press of an arrow key. */
const keyStep = 24;

/** The edge of a part, to be dragged or moved by the arrow keys. A double click gives the part its first size. */
export function Resizer({ label, size, onSize, edge, min, max }: ResizerProps): ReactNode {
  const isRow = edge === "top";
  const grows = edge === "right" ? 1 : -1;
  const drag = (event: PointerEvent<HTMLElement>): void => {
    event.preventDefault();
    const handle = event.currentTarget;
    const from = isRow ? event.clientY : event.clientX;
    handle.setPointerCapture(event.pointerId);
    const move = (to: globalThis.PointerEvent): void =>
      onSize(size + grows * ((isRow ? to.clientY : to.clientX) - from));
    const end = (): void => {
      handle.removeEventListener("pointermove", move);
      handle.removeEventListener("pointerup", end);
      handle.removeEventListener("pointercancel", end);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", end);
    handle.addEventListener("pointercancel", end);
  };
  const pressed = (event: KeyboardEvent): void => {
    const [less, more] = isRow ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
    if (event.key === less) onSize(size - grows * keyStep);
    else if (event.key === more) onSize(size + grows * keyStep);
    else if (event.key === "Home") onSize(min);
    else if (event.key === "End") onSize(max);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      className={`ui-resizer ui-resizer-${edge}`}
      role="separator"
      aria-label={label}
      aria-orientation={isRow ? "horizontal" : "vertical"}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={drag}
      onDoubleClick={() => onSize(null)}
      onKeyDown={pressed}
    />
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): Readonly<Record<string, number>> {
  sizes ??= stored();
  return sizes;
}

function stored(): Readonly<Record<string, number>> {
  try {
    const value = JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(value).filter((each): each is [string, number] => Number.isFinite(each[1])),
    );
  } catch {
    return {};
  }
}
