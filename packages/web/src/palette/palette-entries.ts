import type { ReactNode } from "react";
import { fuzzyMatch } from "./fuzzy.ts";

/** Something that the palette can do or show. */
export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  /** A second text, which is searched as well: a folder, a hub. */
  readonly detail?: string | undefined;
  readonly group: "Threads" | "Actions";
  readonly icon?: ReactNode;
  readonly shortcut?: string | undefined;
  readonly onSelect: () => void;
}

/** An entry that matches, with the places to mark. */
export interface RankedEntry {
  readonly entry: PaletteEntry;
  readonly at: readonly number[];
}

/** Enough to find it by eye; what is not among them needs another letter. */
const maxResults = 50;

/**
 * The entries that match a query, best first. A leading `>` leaves only actions. Without a query all come in their own
 * order.
 */
export function rankEntries(entries: readonly PaletteEntry[], typed: string): readonly RankedEntry[] {
  const onlyActions = typed.startsWith(">");
  const query = (onlyActions ? typed.slice(1) : typed).trim();
  const wanted = onlyActions ? entries.filter((entry) => entry.group === "Actions") : entries;
  if (query === "") return wanted.slice(0, maxResults).map((entry) => ({ entry, at: [] }));
  return wanted
    .flatMap((entry) => {
      const inLabel = fuzzyMatch(entry.label, query);
      const inDetail = entry.detail === undefined ? undefined : fuzzyMatch(entry.detail, query);
      if (inLabel === undefined && inDetail === undefined) return [];
      const score = Math.max(inLabel?.score ?? -1000, (inDetail?.score ?? -1000) - 30);
      return [{ entry, at: inLabel?.at ?? [], score }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, maxResults);
}
