import type { AskForApproval, SandboxPolicy } from "@quire/protocol";

/** A choice of a picker, in words for somebody who does not know the protocol. */
export interface PermissionChoice<T> {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly value: T;
}

/** Sandboxes to choose from. */
export const sandboxChoices: readonly PermissionChoice<SandboxPolicy>[] = [
  {
    id: "readOnly",
    label: "Read only",
    description: "May read files; asks before it changes anything.",
    value: { type: "readOnly" },
  },
  {
    id: "workspaceWrite",
    label: "Workspace",
    description: "May change files in this folder; no network.",
    value: { type: "workspaceWrite" },
  },
  {
    id: "dangerFullAccess",
    label: "Full access",
    description: "May change anything and use the network. No restrictions.",
    value: { type: "dangerFullAccess" },
  },
];

/** When the agent asks. */
export const approvalChoices: readonly PermissionChoice<AskForApproval>[] = [
  {
    id: "untrusted",
    label: "Ask always",
    description: "Asks before every command that is not known to be harmless.",
    value: "untrusted",
  },
  {
    id: "on-request",
    label: "Ask when needed",
    description: "Asks when it wants more than the sandbox allows.",
    value: "on-request",
  },
  {
    id: "never",
    label: "Never ask",
    description: "Never asks; anything outside the sandbox fails.",
    value: "never",
  },
];

/** The name of a policy that may be none of the choices. */
export function sandboxLabel(policy: SandboxPolicy | null): string {
  if (policy === null) return "Sandbox";
  if (policy.type === "externalSandbox") return "External sandbox";
  const choice = sandboxChoices.find((each) => each.id === policy.type);
  const network = policy.type !== "dangerFullAccess" && policy.networkAccess === true;
  return `${choice?.label ?? policy.type}${network ? " + network" : ""}`;
}

/** The name of an approval policy that may be none of the choices. */
export function approvalLabel(policy: AskForApproval | null): string {
  if (policy === null) return "Approvals";
  if (typeof policy === "object") return "Custom rules";
  return approvalChoices.find((each) => each.id === policy)?.label ?? policy;
}
