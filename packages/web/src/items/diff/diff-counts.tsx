import { formatNumber } from "../format.ts";

/** Lines added and removed: `+12 −4`. */
export function DiffCounts({ added, removed }: { readonly added: number; readonly removed: number }) {
  if (added === 0 && removed === 0) return null;
  return (
    <span className="diff-counts">
      <span className="diff-count-added">+{formatNumber(added)}</span>{" "}
      <span className="diff-count-removed">−{formatNumber(removed)}</span>
    </span>
  );
}
