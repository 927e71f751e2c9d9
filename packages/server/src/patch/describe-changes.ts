import type { FileUpdateChange } from "@quire/protocol";
import type { PlannedChange } from "./plan-patch.ts";
import { unifiedHunks } from "./unified-diff.ts";

/** Clients that want more context show the file itself. */
const contextLines = 1;

/** The changes of a plan as items show them, by path. */
export function describeChanges(changes: readonly PlannedChange[]): FileUpdateChange[] {
  return changes.map(describe).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function describe({ type, path, moveTo, before, after }: PlannedChange): FileUpdateChange {
  if (type === "add") return { path, kind: { type }, diff: shown(after?.bytes) };
  if (type === "delete") return { path, kind: { type }, diff: shown(before?.bytes) };
  const hunks = unifiedHunks(before?.bytes.toString() ?? "", after?.bytes.toString() ?? "", contextLines);
  const diff = moveTo === null ? hunks : `${hunks}\n\nMoved to: ${moveTo}`;
  return { path, kind: { type, move_path: moveTo }, diff };
}

function shown(bytes: Buffer | undefined): string {
  if (!bytes) return "";
  return isText(bytes) ? bytes.toString() : `Binary file, ${bytes.length} bytes`;
}

/** True when bytes are text that can be shown. */
export function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The report to the model on an applied patch. */
export function summarize(changes: readonly PlannedChange[]): string {
  const listed = (type: PlannedChange["type"], mark: string) =>
    changes.filter((change) => change.type === type).map(({ written }) => `${mark} ${written}\n`);
  const files = [...listed("add", "A"), ...listed("update", "M"), ...listed("delete", "D")];
  return `Success. Updated the following files:\n${files.join("")}`;
}
