import type { NetworkPolicyAmendment } from "@quire/protocol";
import type { ApprovalDecision } from "./answer.ts";

/** A decision: one of the four words, or a rule to keep. */
export type Decision = ApprovalDecision | readonly string[] | NetworkPolicyAmendment;

/** The reply to an approval request of today. */
export function modernResult(decision: Decision): unknown {
  if (typeof decision === "string") return { decision };
  if (isPrefix(decision)) return { decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: decision } } };
  return { decision: { applyNetworkPolicyAmendment: { network_policy_amendment: decision } } };
}

const legacyWords = {
  accept: "approved",
  acceptForSession: "approved_for_session",
  decline: "denied",
  cancel: "abort",
} as const;

/**
 * The reply to `execCommandApproval` and `applyPatchApproval`. Codex 0.98 sends these, to clients that start threads the oldest
 * way. Later versions gave `denied` a text, but have no way left to make them ask so.
 */
export function legacyResult(decision: Decision): unknown {
  if (typeof decision === "string") return { decision: legacyWords[decision] };
  if (isPrefix(decision))
    return { decision: { approved_execpolicy_amendment: { proposed_execpolicy_amendment: decision } } };
  return { decision: { network_policy_amendment: { network_policy_amendment: decision } } };
}

const isPrefix = (decision: readonly string[] | NetworkPolicyAmendment): decision is readonly string[] =>
  Array.isArray(decision);
