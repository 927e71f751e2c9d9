import type { ApprovalsReviewer, AskForApproval, SandboxPolicy } from "@quire/protocol";
import { permissionWords as words } from "../words/words.ts";

/** A choice of a picker. */
export interface PermissionChoice<T> {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly value: T;
}

/** Extent of what can go wrong, from what cannot change anything to what nothing holds back. */
export type Risk = "safe" | "guarded" | "risky" | "dangerous";

/** Sandboxes to choose from, from safe to dangerous. */
export const sandboxChoices: readonly PermissionChoice<SandboxPolicy>[] = [
  { id: "readOnly", ...words.sandboxes.readOnly, value: { type: "readOnly" } },
  { id: "workspaceWrite", ...words.sandboxes.workspaceWrite, value: { type: "workspaceWrite" } },
  { id: "dangerFullAccess", ...words.sandboxes.dangerFullAccess, value: { type: "dangerFullAccess" } },
];

/** When the agent asks, from always to never. */
export const approvalChoices: readonly PermissionChoice<AskForApproval>[] = [
  { id: "untrusted", ...words.policies.untrusted, value: "untrusted" },
  { id: "on-request", ...words.policies["on-request"], value: "on-request" },
  { id: "never", ...words.policies.never, value: "never" },
];

/** Reviewers of approvals to choose from. */
export const reviewerChoices: readonly PermissionChoice<ApprovalsReviewer>[] = [
  { id: "user", ...words.reviewChoices.user, value: "user" },
  { id: "auto_review", ...words.reviewChoices.auto_review, value: "auto_review" },
];

/** The risk of a sandbox with an approval policy. */
export function riskOf(sandbox: SandboxPolicy | null, approval: AskForApproval | null): Risk {
  if (sandbox?.type === "dangerFullAccess") return approval === "never" ? "dangerous" : "risky";
  if (sandbox?.type === "readOnly") return sandbox.networkAccess === true ? "guarded" : "safe";
  if (sandbox?.type === "externalSandbox") return "risky";
  return sandbox?.type === "workspaceWrite" && sandbox.networkAccess === true ? "risky" : "guarded";
}

/** The name of a policy that may be none of the choices. */
export function sandboxLabel(policy: SandboxPolicy | null): string {
  if (policy === null) return words.sandbox;
  if (policy.type === "externalSandbox") return words.external;
  const choice = sandboxChoices.find((each) => each.id === policy.type);
  const network = policy.type !== "dangerFullAccess" && policy.networkAccess === true;
  return `${choice?.label ?? policy.type}${network ? words.plusNetwork : ""}`;
}

/** The name of an approval policy that may be none of the choices. */
export function approvalLabel(policy: AskForApproval | null): string {
  if (policy === null) return words.approvals;
  if (typeof policy === "object") return words.customRules;
  return approvalChoices.find((each) => each.id === policy)?.label ?? policy;
}

/** True where the server's own reviewer answers. */
export const isAutomatic = (reviewer: ApprovalsReviewer | null | undefined): boolean =>
  reviewer === "auto_review" || reviewer === "guardian_subagent";
