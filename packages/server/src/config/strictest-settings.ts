import type { Table } from "../lib/table.ts";

/** Settings that may hold a model back: without them, the project's trust no longer widens the defaults. */
export const restraints: ReadonlySet<string> = new Set([
  "approval_policy",
  "approvals_reviewer",
  "default_permissions",
  "features",
  "permissions",
  "sandbox_mode",
  "sandbox_workspace_write",
  "shell_environment_policy",
  "web_search",
]);

const aboutSandbox = ["default_permissions", "permissions", "sandbox_mode", "sandbox_workspace_write"];
const aboutApprovals = ["approval_policy", "approvals_reviewer"];

/**
 * Replaces settings of a project that it no longer makes as trusted by the strictest ones: its former values are
 * unknown, and the user's own may allow everything.
 * @param lost Keys that the project set.
 * @param stronger Settings that win over the project's, and so stay.
 */
export function withRestraints(merged: Table, lost: ReadonlySet<string>, stronger: Table): Table {
  const isLost = (keys: readonly string[]) =>
    keys.some((key) => lost.has(key)) && !keys.some((key) => stronger[key] !== undefined);
  const { default_permissions: _, ...rest } = merged;
  let result: Table = merged;
  if (isLost(aboutSandbox)) result = { ...rest, sandbox_mode: "read-only" };
  if (isLost(aboutApprovals)) {
    const policy = result.approval_policy === "never" ? "on-request" : result.approval_policy;
    result = { ...result, approvals_reviewer: "user", ...(policy !== undefined && { approval_policy: policy }) };
  }
  if (isLost(["web_search"])) result = { ...result, web_search: "disabled" };
  return result;
}
