import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";

/**
 * Default folder of workspaces: in the user's own state, one for each workflow, so that two of them never share an
 * issue's folder. Not in `$QUIRE_HOME`, which agents do not see, and not among temporary files, where they can all
 * write.
 *
 * @param workflow Real path of the workflow file.
 */
export function defaultRoot(workflow: string, env: Readonly<Record<string, string | undefined>>): string {
  const given = env.XDG_STATE_HOME;
  const state = given !== undefined && isAbsolute(given) ? given : join(env.HOME || homedir(), ".local", "state");
  const name = basename(dirname(workflow)).replace(/[^A-Za-z0-9_-]/g, "_") || "root";
  const hash = createHash("sha256").update(workflow).digest("hex").slice(0, 12);
  return join(state, "quire", "workspaces", `${name}-${hash}`);
}
