import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { ApprovalsReviewer, AskForApproval, SandboxMode, SandboxPolicy } from "@quire/protocol";
import { isTable } from "../lib/table.ts";
import { customPolicy } from "./custom-profiles.ts";
import { profileMode, unknownProfile } from "./permission-profiles.ts";
import type { Trust } from "./project.ts";
import type { Settings } from "./settings.ts";

/** When to ask. Unset: `untrusted` for a project marked so, else `on-request`. */
export function approvalPolicy(settings: Settings, trust: Trust): AskForApproval {
  const expected = '"untrusted", "on-failure", "on-request", "never" or a table "granular"';
  const configured = settings.read(["approval_policy"], expected, toApproval);
  return configured ?? (trust === "untrusted" ? "untrusted" : "on-request");
}

function toApproval(value: unknown): AskForApproval | undefined {
  if (value === "untrusted" || value === "on-request" || value === "never") return value;
  // A word of older versions, still understood, which the wire's type of today does not have.
  if (value === "on-failure") return value as AskForApproval;
  if (!isTable(value) || !isTable(value.granular)) return undefined;
  const flag = (name: string): boolean => isTable(value.granular) && value.granular[name] === true;
  if (!Object.values(value.granular).every((each) => typeof each === "boolean")) return undefined;
  return {
    granular: {
      sandbox_approval: flag("sandbox_approval"),
      rules: flag("rules"),
      skill_approval: flag("skill_approval"),
      request_permissions: flag("request_permissions"),
      mcp_elicitations: flag("mcp_elicitations"),
    },
  };
}

/** The reviewer of approvals. Default: the user. */
export function approvalsReviewer(settings: Settings): ApprovalsReviewer {
  return settings.oneOf(["user", "auto_review", "guardian_subagent"], "approvals_reviewer") ?? "user";
}

const modes: readonly SandboxMode[] = ["read-only", "workspace-write", "danger-full-access"];

/** The sandbox of commands. Default: write in the workspace of a trusted project, else read only. */
export function sandboxPolicy(settings: Settings, trust: Trust): SandboxPolicy {
  const chosen = settings.oneOf(modes, "sandbox_mode") ?? defaultPermissions(settings);
  if (typeof chosen === "object") return chosen;
  const mode = chosen ?? (trust === "trusted" ? "workspace-write" : "read-only");
  if (mode === "danger-full-access") return { type: "dangerFullAccess" };
  if (mode === "read-only") return { type: "readOnly", networkAccess: false };
  return workspaceWrite(settings);
}

/** The policy of `workspace-write`, with its settings. */
export function workspaceWrite(settings: Settings): SandboxPolicy {
  const own = (key: string): [string, string] => ["sandbox_workspace_write", key];
  return {
    type: "workspaceWrite",
    writableRoots: writableRoots(settings),
    networkAccess: settings.flag(...own("network_access")) ?? false,
    excludeTmpdirEnvVar: settings.flag(...own("exclude_tmpdir_env_var")) ?? false,
    excludeSlashTmp: settings.flag(...own("exclude_slash_tmp")) ?? false,
  };
}

/** The policy of `default_permissions`; `undefined` when it is not set. */
function defaultPermissions(settings: Settings): SandboxMode | SandboxPolicy | undefined {
  const id = settings.name("default_permissions");
  if (id === null) return undefined;
  const permissions = settings.raw("permissions");
  const mode = profileMode(id) ?? customPolicy({ permissions }, id);
  // Taken for something else, a profile that allows little could become one that allows much.
  if (mode === undefined) throw settings.error(["default_permissions"], unknownProfile(id));
  return mode;
}

/** Relative folders start at the file that names them. */
function writableRoots(settings: Settings): string[] {
  const path = ["sandbox_workspace_write", "writable_roots"];
  return settings.strings(...path).map((root) => {
    const expanded = root === "~" || root.startsWith("~/") ? join(homedir(), root.slice(1)) : root;
    if (isAbsolute(expanded)) return expanded;
    const folder = settings.folderOf(path);
    if (folder !== undefined) return resolve(folder, expanded);
    throw settings.error(path, `${JSON.stringify(root)} is no absolute path. Write it from the root on.`);
  });
}
