import type { EvalResult } from "./eval-case.ts";
import { textTable } from "./text-table.ts";

/** A case whose status or scores differ between two runs. */
export interface EvalChange {
  readonly id: string;
  readonly kind: "better" | "worse" | "added" | "removed";
  readonly before: EvalResult | undefined;
  readonly after: EvalResult | undefined;
}

/** The differences from one run to a later one. */
export class EvalDiff {
  /** Cases that changed, in the order of the later run; removed ones last. */
  readonly changes: readonly EvalChange[];

  constructor(before: readonly EvalResult[], after: readonly EvalResult[]) {
    const earlier = new Map(before.map((result) => [result.id, result]));
    const later = new Set(after.map(({ id }) => id));
    const changed = after.flatMap((result) => changeOf(earlier.get(result.id), result));
    const removed = before.filter(({ id }) => !later.has(id));
    this.changes = [
      ...changed,
      ...removed.map((result): EvalChange => ({ id: result.id, kind: "removed", before: result, after: undefined })),
    ];
  }

  /** Cases that became worse: for a check in CI. */
  get worse(): readonly EvalChange[] {
    return this.changes.filter(({ kind }) => kind === "worse");
  }

  /** The changes as text, one a line; a sentence if there are none. */
  table(): string {
    if (this.changes.length === 0) return "No case changed.";
    const rows = this.changes.map(({ id, kind, before, after }) => [
      id,
      kind,
      `${before?.status ?? "-"} → ${after?.status ?? "-"}`,
      scoresBetween(before, after),
    ]);
    return textTable(["case", "change", "status", "scores"], rows);
  }
}

const order = ["error", "failed", "passed"];

function changeOf(before: EvalResult | undefined, after: EvalResult): EvalChange[] {
  const { id } = after;
  if (before === undefined) return [{ id, kind: "added", before, after }];
  const steps = order.indexOf(after.status) - order.indexOf(before.status);
  const by = steps === 0 ? meanOf(after) - meanOf(before) : steps;
  // Means of the same scores may differ in their last digit.
  if (Math.abs(by) < 1e-9) return [];
  return [{ id, kind: by > 0 ? "better" : "worse", before, after }];
}

/** The mean of a case's scores; 0 without any. */
function meanOf({ scores }: EvalResult): number {
  const all = Object.values(scores);
  return all.length === 0 ? 0 : all.reduce((sum, { score }) => sum + score, 0) / all.length;
}

function scoresBetween(before: EvalResult | undefined, after: EvalResult | undefined): string {
  const names = new Set([...Object.keys(before?.scores ?? {}), ...Object.keys(after?.scores ?? {})]);
  const shown = (result: EvalResult | undefined, name: string) => {
    const entry = Object.entries(result?.scores ?? {}).find(([each]) => each === name);
    return entry === undefined ? "-" : entry[1].score.toFixed(2);
  };
  return [...names].map((name) => `${name} ${shown(before, name)} → ${shown(after, name)}`).join(", ");
}
