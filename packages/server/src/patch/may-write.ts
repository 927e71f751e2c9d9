import { relative, sep } from "node:path";
import type { Confinement } from "../exec/launcher.ts";
import { isWithin, reachOf } from "../sandbox/reach.ts";
import type { SandboxOptions } from "../sandbox/sandbox-launcher.ts";
import type { PlannedChange } from "./plan-patch.ts";

/** Folders that say what programs do with the rest; closed also where they do not exist yet. */
const settingsFolders = [".git", ".codex", ".quire"];

/**
 * The first file of a patch that a command under the same policy could not write; `undefined` where there is none. A patch
 * is written by the server itself, which no sandbox holds back.
 */
export function forbiddenFile(
  changes: readonly PlannedChange[],
  confinement: Confinement,
  options: SandboxOptions,
): string | undefined {
  const reach = reachOf(confinement, options);
  if (reach === "full") return undefined;
  const closed = [...reach.readOnly, ...reach.hidden];
  const open = (file: string) => {
    const around = reach.roots.filter((root) => isWithin(file, root));
    const isSetting = around.some((root) => settingsFolders.includes(relative(root, file).split(sep)[0] ?? ""));
    return around.length > 0 && !isSetting && !closed.some((path) => isWithin(file, path));
  };
  return changes.flatMap(({ files }) => files).find((file) => !open(file));
}
