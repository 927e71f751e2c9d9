import { dirname, resolve } from "node:path";
import { type ToolContext, ToolFailure } from "../approval/tool-context.ts";
import { isWithin } from "../lib/is-within.ts";
import { hiddenHomes } from "../workspace-files/hidden-homes.ts";
import { isHiddenFile } from "../workspace-files/read-file.ts";
import type { Access, Root } from "../workspace-files/root.ts";

/** The access to a file that a model names: what its commands could read. */
export function modelAccess(path: string, context: ToolContext): Access {
  return { root: rootOf(path, context), home: context.approvals.options.home };
}

/** Commands see a home only when unconfined, or when it contains their work. */
function rootOf(path: string, { settings: { cwd, sandboxPolicy }, approvals }: ToolContext): Root {
  const { type } = sandboxPolicy;
  if (type === "dangerFullAccess" || type === "externalSandbox") return { path: dirname(path), trusted: true };
  const isBelow = (home: string) => cwd !== home && isWithin(cwd, home);
  const isWork = isWithin(path, cwd) && hiddenHomes(approvals.options.home).some(isBelow);
  return isWork ? { path: cwd } : { path: "/", trusted: true };
}

/** The path of a file that a model names for its agent. Refuses the home: it is read later on behalf of a client. */
export function modelPath(given: string, context: ToolContext): string {
  const path = resolve(context.settings.cwd, given);
  if (isHiddenFile(path, modelAccess(path, context)))
    throw new ToolFailure(`unable to locate image at \`${path}\`: Permission denied (os error 13)`);
  return path;
}
