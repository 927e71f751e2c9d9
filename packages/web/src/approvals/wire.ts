import { compareVersions, type NetworkPolicyAmendment, type RequestPermissionProfile } from "@quire/protocol";

/** The answers that every approval knows. */
export type Decision = "accept" | "acceptForSession" | "decline" | "cancel";

/** A rule to keep: words that commands may begin with, or one for a host. */
export type Amendment = readonly string[] | NetworkPolicyAmendment;

/** Reply to a command or file change approval. */
export function decisionResult(decision: Decision | Amendment): unknown {
  if (typeof decision === "string") return { decision };
  if (isWords(decision)) return { decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: decision } } };
  return { decision: { applyNetworkPolicyAmendment: { network_policy_amendment: decision } } };
}

/**
 * Reply to `execCommandApproval` and `applyPatchApproval`, the questions of the oldest kind. Up to Codex 0.118 a refusal
 * was one word; later it has a text.
 */
export function legacyResult(decision: Decision, serverVersion: string | null): unknown {
  switch (decision) {
    case "accept":
      return { decision: "approved" };
    case "acceptForSession":
      return { decision: "approved_for_session" };
    case "cancel":
      return { decision: "abort" };
    case "decline": {
      const hasText = serverVersion !== null && compareVersions(serverVersion, "0.118.0") > 0;
      return { decision: hasText ? { denied: { rejection: "rejected by user" } } : "denied" };
    }
  }
}

/** Reply to a request for permissions: all that is asked for, or nothing. */
export function permissionsResult(
  decision: "accept" | "acceptForSession" | "decline",
  permissions: RequestPermissionProfile,
): unknown {
  const scope = decision === "acceptForSession" ? "session" : "turn";
  return { permissions: decision === "decline" ? {} : permissions, scope };
}

/** Reply to questions of the agent: texts by question id; a question that is left out counts as skipped. */
export function answersResult(answers: Readonly<Record<string, readonly string[]>>): unknown {
  return {
    answers: Object.fromEntries(Object.entries(answers).map(([id, texts]) => [id, { answers: [...texts] }])),
  };
}

/** Reply to an MCP elicitation. `persist` remembers the approval of a tool. */
export function elicitationResult(
  action: "accept" | "decline" | "cancel",
  content: Readonly<Record<string, unknown>> | null = null,
  persist?: "session" | "always",
): unknown {
  return { action, content, _meta: persist === undefined ? null : { persist } };
}

/** Reply to a call of a dynamic tool. */
export function toolResult(text: string, success: boolean): unknown {
  return { contentItems: [{ type: "inputText", text }], success };
}

const isWords = (decision: Amendment): decision is readonly string[] => Array.isArray(decision);
