import type { AskForApproval } from "@quire/protocol";

/** When users are asked. `on-failure` is a word of older versions, still understood. */
export type Policy = AskForApproval | "on-failure";

/** A policy by the name that models know. */
export function policyName(policy: Policy): string {
  switch (policy) {
    case "never":
      return "Never";
    case "untrusted":
      return "UnlessTrusted";
    case "on-failure":
      return "OnFailure";
    case "on-request":
      return "OnRequest";
    default: {
      const { sandbox_approval, rules, skill_approval, request_permissions, mcp_elicitations } = policy.granular;
      const flags = { sandbox_approval, rules, skill_approval, request_permissions, mcp_elicitations };
      const listed = Object.entries(flags).map(([name, on]) => `${name}: ${on ?? false}`);
      return `Granular(GranularApprovalConfig { ${listed.join(", ")} })`;
    }
  }
}
