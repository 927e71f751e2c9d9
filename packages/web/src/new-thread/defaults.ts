import type { AskForApproval, Config, SandboxPolicy } from "@quire/protocol";

/** Permissions of a thread for which nobody chose any. */
export interface PermissionDefaults {
  readonly sandbox: SandboxPolicy | null;
  readonly approvalPolicy: AskForApproval;
}

const profiles: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    ":read-only": "read-only",
    ":workspace": "workspace-write",
    ":danger-full-access": "danger-full-access",
  }),
);

/**
 * Permissions that the configuration gives a new thread in a folder. Where it is silent, servers go by whether the user
 * trusts the folder. Null for permissions that only the server can read, such as a profile of the user's own.
 */
export function permissionDefaults(config: Config, cwd: string): PermissionDefaults {
  const trust = trustOf(config, cwd);
  const profile = typeof config.default_permissions === "string" ? config.default_permissions : null;
  const silent = trust === "trusted" ? "workspace-write" : "read-only";
  const mode = config.sandbox_mode ?? (profile === null ? silent : (profiles.get(profile) ?? null));
  return {
    sandbox: mode === null ? null : policyOf(mode, config),
    approvalPolicy: config.approval_policy ?? (trust === "untrusted" ? "untrusted" : "on-request"),
  };
}

function policyOf(mode: string, config: Config): SandboxPolicy | null {
  if (mode === "danger-full-access") return { type: "dangerFullAccess" };
  if (mode === "read-only") return { type: "readOnly" };
  if (mode !== "workspace-write") return null;
  const { network_access: networkAccess, writable_roots: writableRoots } = config.sandbox_workspace_write ?? {};
  return {
    type: "workspaceWrite",
    ...(networkAccess === true && { networkAccess }),
    ...(writableRoots !== undefined && writableRoots.length > 0 && { writableRoots }),
  };
}

/** The trust level of the nearest folder upwards. */
function trustOf({ projects }: Config, cwd: string): string | null {
  if (typeof projects !== "object" || projects === null) return null;
  const folders = projects as Readonly<Record<string, { readonly trust_level?: unknown } | null>>;
  for (let folder = cwd; folder !== ""; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const level = Object.hasOwn(folders, folder) ? folders[folder]?.trust_level : undefined;
    if (typeof level === "string") return level;
  }
  return null;
}
