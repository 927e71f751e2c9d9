import { resolve } from "node:path";
import type { ConfigLayer } from "@quire/protocol";
import type { Core } from "./core.ts";
import type { SettingsParams } from "./settings-params.ts";

/** Codex's own programs. They read a project's config themselves and send it with each thread. */
const readsProjects = /^codex[-_]/;

/** Strict values are accepted from anywhere. */
const strict: ReadonlySet<unknown> = new Set(["read-only", ":read-only", "untrusted", "user"]);

type Asked = Pick<SettingsParams, "approvalPolicy" | "approvalsReviewer" | "cwd" | "permissions" | "sandbox">;

/** A client's params without settings from a project config that is ignored because it changed after it was trusted. */
export function withoutIgnored<Params extends Asked>(core: Core, params: Params, client: string | undefined): Params {
  const { sandbox, permissions, approvalPolicy, approvalsReviewer, cwd } = params;
  if (client === undefined || !readsProjects.test(client)) return params;
  const folder = resolve(cwd ?? "");
  if (core.config.lasting({ cwd: folder }).warnings === undefined) return params;
  const ignored = core.config.read({ cwd: folder }).layers.filter(isIgnored);
  const kept = <T>(key: string, value: T): T | null => {
    const isTheirs = ignored.some(({ config }) => Bun.deepEquals((config as Record<string, unknown>)[key], value));
    return isTheirs && !strict.has(value) ? null : value;
  };
  return {
    ...params,
    ...(sandbox && { sandbox: kept("sandbox_mode", sandbox) }),
    ...(permissions && { permissions: kept("default_permissions", permissions) }),
    ...(approvalPolicy && { approvalPolicy: kept("approval_policy", approvalPolicy) }),
    ...(approvalsReviewer && { approvalsReviewer: kept("approvals_reviewer", approvalsReviewer) }),
  };
}

function isIgnored({ name, disabledReason }: ConfigLayer): boolean {
  return name.type === "project" && typeof disabledReason === "string";
}
