import { join } from "node:path";
import { isSwitchedOff } from "../../config/feature-flags.ts";
import { isTable } from "../../lib/table.ts";
import { mayHavePlugins } from "../../plugins/may-have-plugins.ts";
import type { Thread } from "../../thread/thread.ts";
import { pathExists } from "../../workspace-files/real-path.ts";
import type { HookPoints } from "./hook-points.ts";

/**
 * The hooks of a thread; `undefined` without any, which is usual and cheap: their code is loaded when needed.
 * @param begins Why the session begins; `null` when it continues. A turn may begin before the code is loaded.
 */
export function openHooks(
  thread: Thread,
  begins: "startup" | "resume" | null = reasonOf(thread),
): Promise<HookPoints> | undefined {
  if (!mayHaveHooks(thread)) return undefined;
  const opened = import("./hook-points.ts").then((module) => new module.HookPoints(thread, begins));
  // Those who wait hear of a failure too.
  opened.catch((error: unknown) => thread.core.server.log.error("hooks cannot be read", error));
  return opened;
}

function reasonOf({ record }: Thread): "startup" | "resume" | null {
  return record.turns.length > 0 ? "resume" : "startup";
}

function mayHaveHooks({ config }: Thread): boolean {
  const { raw, folders, requirements } = config;
  if (isSwitchedOff(raw, "hooks")) return false;
  if (Object.keys(requirements?.hooks ?? {}).length > 0) return true;
  if (isTable(raw.hooks) && Object.keys(raw.hooks).some((key) => key !== "state")) return true;
  // A missing hook is reported.
  const states = isTable(raw.hooks) && isTable(raw.hooks.state) ? Object.keys(raw.hooks.state) : [];
  if (states.some((key) => folders.slice(1).some((folder) => key.startsWith(`${folder}/`)))) return true;
  return mayHavePlugins(raw) || folders.some((folder) => pathExists(join(folder, "hooks.json")));
}
