import type { Stats } from "node:fs";
import { statIfThere } from "../stat-if-there.ts";

/**
 * Looks at paths, each once for all who ask before the event loop goes round: of many turns that begin together every one
 * looks in the same places.
 */
export function sharedLooks(): (path: string) => Stats | undefined {
  const seen = new Map<string, Stats | undefined>();
  return (path) => {
    const known = seen.get(path);
    if (known !== undefined || seen.has(path)) return known;
    const stats = statIfThere(path);
    if (seen.size === 0) setImmediate(() => seen.clear());
    seen.set(path, stats);
    return stats;
  };
}
