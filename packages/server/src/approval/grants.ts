import type { SandboxPolicy } from "@quire/protocol";
import type { TurnSettings } from "../record/turn-settings.ts";
import { noPermissions, type Permissions, union, withoutReplaced } from "./permissions.ts";

/** A policy and the folders of the work, as a launcher takes them. */
export interface Limits {
  readonly policy: SandboxPolicy;
  readonly workspace: readonly string[];
}

/** The permissions that users gave a thread beyond its settings. Lives while the thread is loaded. */
export class Grants {
  readonly #approved = new Set<string>();
  #session: Permissions = noPermissions;
  #turn: { readonly id: string; readonly permissions: Permissions } | undefined;

  isApproved(key: string): boolean {
    return this.#approved.has(key);
  }

  approve(keys: readonly string[]): void {
    for (const key of keys) this.#approved.add(key);
  }

  add(permissions: Permissions, scope: "session" | { readonly turnId: string }): void {
    if (scope === "session") this.#session = union(this.#session, permissions);
    else this.#turn = { id: scope.turnId, permissions: union(this.permissions(scope.turnId), permissions) };
  }

  permissions(turnId: string): Permissions {
    return this.#turn?.id === turnId ? union(this.#session, this.#turn.permissions) : this.#session;
  }

  limits(settings: TurnSettings, turnId: string, more: Permissions = noPermissions): Limits {
    const limits = { policy: settings.sandboxPolicy, workspace: [settings.cwd, ...settings.runtimeWorkspaceRoots] };
    return widened(limits, withoutReplaced(union(this.permissions(turnId), more)));
  }
}

function widened(limits: Limits, { write, network }: Permissions): Limits {
  const { policy, workspace } = limits;
  if (policy.type === "dangerFullAccess" || (write.length === 0 && !network)) return limits;
  if (policy.type === "externalSandbox")
    return network ? { policy: { ...policy, networkAccess: "enabled" }, workspace } : limits;
  const networkAccess = network || policy.networkAccess === true;
  if (policy.type === "workspaceWrite") {
    return {
      policy: { ...policy, networkAccess, writableRoots: [...(policy.writableRoots ?? []), ...write] },
      workspace,
    };
  }
  if (write.length === 0) return { policy: { ...policy, networkAccess }, workspace };
  // A read-only thread can write only what was granted, not its own folders.
  const granted: SandboxPolicy = {
    type: "workspaceWrite",
    writableRoots: [...write],
    networkAccess,
    excludeSlashTmp: true,
    excludeTmpdirEnvVar: true,
  };
  return { policy: granted, workspace: [] };
}
