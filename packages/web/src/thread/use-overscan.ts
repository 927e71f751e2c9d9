import { defaultRangeExtractor, type Range } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";

/** Rows rendered beyond what is seen, on each side, where the reader has jumped to. */
const afterJump = 2;

/**
 * Chooses which rows are rendered. Who drags the scroll bar through a long thread jumps from place to place, and each
 * jump needs all its rows at once: then only what is seen is rendered, and what is around it in the frame after the next,
 * unless the reader has jumped on by then.
 */
export function useOverscan(): (range: Range) => number[] {
  const last = useRef<Range | null>(null);
  const frame = useRef(0);
  const [rests, setRests] = useState(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function makes the rows be chosen again
  return useMemo(
    () => (range) => {
      const before = last.current;
      last.current = range;
      const jumped = before !== null && (range.startIndex > before.endIndex || range.endIndex < before.startIndex);
      if (!jumped) return defaultRangeExtractor(range);
      cancelAnimationFrame(frame.current);
      frame.current = requestAnimationFrame(() => {
        frame.current = requestAnimationFrame(() => setRests((count) => count + 1));
      });
      return defaultRangeExtractor({ ...range, overscan: Math.min(afterJump, range.overscan) });
    },
    [rests],
  );
}
