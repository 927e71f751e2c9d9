import type { AskForApproval, SandboxMode, SandboxPolicy } from "@quire/protocol";
import { compareVersions } from "@quire/protocol";

/** Approval policies: the wire's words, and older spellings that are translated. */
export type ApprovalPolicy = AskForApproval | "on-failure" | "unlessTrusted" | "always" | "onRequest" | "onFailure";

/** Sandboxes: the wire's words, and older spellings that are translated. */
export type Sandbox = SandboxMode | "readOnly" | "workspaceWrite" | "dangerFullAccess";

/** A sandbox policy of a turn, with `type` in either spelling. */
export type SandboxPolicyInput = SandboxPolicy | ({ readonly type: SandboxMode } & Record<string, unknown>);

/** `on-failure` was dropped after 0.142; asking when the model wants more is what came in its place. */
const lastWithOnFailure = "0.142.0";

/** The policy in the words of the server at hand. */
export function toApprovalPolicy(policy: ApprovalPolicy, serverVersion: string | undefined): AskForApproval {
  switch (policy) {
    // Both ask before whatever is not known to be harmless; the wire has no stricter word.
    case "unlessTrusted":
    case "always":
      return "untrusted";
    case "onRequest":
      return "on-request";
    case "onFailure":
    case "on-failure": {
      const known = serverVersion !== undefined && compareVersions(serverVersion, lastWithOnFailure) <= 0;
      return known ? ("on-failure" as AskForApproval) : "on-request";
    }
    default:
      return policy;
  }
}

/** The sandbox mode as threads take it. */
export function toSandboxMode(sandbox: Sandbox): SandboxMode {
  return sandbox.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) as SandboxMode;
}

/** The sandbox policy as turns take it. */
export function toSandboxPolicy(policy: SandboxPolicyInput): SandboxPolicy {
  const type = policy.type.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { ...policy, type } as SandboxPolicy;
}
