import type { CommandExecutionApprovalDecision, CommandExecutionRequestApprovalParams } from "@quire/protocol";
import type { PendingRequest } from "../state/model.ts";
import { questionWords } from "../words/words.ts";
import { type Asked, askedOf, metaOf } from "./request-kind.ts";
import { decisionResult, elicitationResult, legacyResult, permissionsResult } from "./wire.ts";

/** An answer, ready to be sent. */
export interface Choice {
  readonly id: string;
  readonly label: string;
  /** The key that chooses it while no text field has the focus. */
  readonly hotkey?: "y" | "a" | "n";
  readonly role: "approve" | "approveMore" | "decline" | "stop";
  readonly result: unknown;
  /** Label of the answered question. */
  readonly answered: string;
}

const approve = (result: unknown): Choice => ({
  id: "approve",
  label: questionWords.approve,
  hotkey: "y",
  role: "approve",
  result,
  answered: questionWords.approved,
});
const forSession = (result: unknown): Choice => ({
  id: "session",
  label: questionWords.approveSession,
  hotkey: "a",
  role: "approveMore",
  result,
  answered: questionWords.approvedSession,
});
const decline = (result: unknown): Choice => ({
  id: "decline",
  label: questionWords.decline,
  hotkey: "n",
  role: "decline",
  result,
  answered: questionWords.declined,
});
const stop = (result: unknown): Choice => ({
  id: "stop",
  label: questionWords.declineStop,
  role: "stop",
  result,
  answered: questionWords.declinedTurnStopped,
});

/** The answers that a question allows; none for questions that are forms. `serverVersion` settles the oldest shapes. */
export function choicesOf(request: PendingRequest, serverVersion: string | null): readonly Choice[] {
  const asked = askedOf(request);
  switch (asked.kind) {
    case "command":
      return commandChoices(asked.params);
    case "fileChange":
      return [
        approve(decisionResult("accept")),
        forSession(decisionResult("acceptForSession")),
        decline(decisionResult("decline")),
        stop(decisionResult("cancel")),
      ];
    case "permissions": {
      const permissions = asked.params.permissions ?? {};
      return [
        approve(permissionsResult("accept", permissions)),
        forSession(permissionsResult("acceptForSession", permissions)),
        decline(permissionsResult("decline", permissions)),
      ];
    }
    case "legacyCommand":
    case "legacyPatch":
      return [
        approve(legacyResult("accept", serverVersion)),
        forSession(legacyResult("acceptForSession", serverVersion)),
        decline(legacyResult("decline", serverVersion)),
        stop(legacyResult("cancel", serverVersion)),
      ];
    case "toolApproval":
      return toolChoices(asked);
    default:
      return [];
  }
}

/**
 * Answers to a command's question. Servers list those that they would offer; beyond the list, declining works with
 * every server, and approving for the session works wherever a rule for the command could be kept.
 */
function commandChoices(params: CommandExecutionRequestApprovalParams): readonly Choice[] {
  const offered = params.availableDecisions ?? undefined;
  const has = (word: string): boolean => offered === undefined || offered.includes(word as "accept");
  const rules = (offered ?? proposed(params)).flatMap(ruleChoice);
  const isRemembered = rules.some((rule) => rule.id === "rule");
  return [
    ...(has("accept") ? [approve(decisionResult("accept"))] : []),
    ...(has("acceptForSession") || isRemembered ? [forSession(decisionResult("acceptForSession"))] : []),
    decline(decisionResult("decline")),
    ...(has("cancel") ? [stop(decisionResult("cancel"))] : []),
    ...rules,
  ];
}

/** The rules that a server proposes without a list of decisions. */
function proposed(params: CommandExecutionRequestApprovalParams): readonly CommandExecutionApprovalDecision[] {
  const words = params.proposedExecpolicyAmendment;
  const hosts = params.proposedNetworkPolicyAmendments ?? [];
  return [
    ...(words ? [{ acceptWithExecpolicyAmendment: { execpolicy_amendment: words } }] : []),
    ...hosts.map((rule) => ({ applyNetworkPolicyAmendment: { network_policy_amendment: rule } })),
  ];
}

function ruleChoice(decision: CommandExecutionApprovalDecision): readonly Choice[] {
  if (typeof decision === "string") return [];
  if ("acceptWithExecpolicyAmendment" in decision) {
    const words = decision.acceptWithExecpolicyAmendment.execpolicy_amendment;
    const text = words.join(" ");
    return [
      {
        id: "rule",
        label: questionWords.alwaysAllowText(text),
        role: "approveMore",
        result: { decision },
        answered: questionWords.approvedTextFromNow(text),
      },
    ];
  }
  const { host, action } = decision.applyNetworkPolicyAmendment.network_policy_amendment;
  const allows = action === "allow";
  return [
    {
      id: `host-${action}-${host}`,
      label: allows ? questionWords.alwaysAllow(host) : questionWords.neverAllow(host),
      role: allows ? "approveMore" : "decline",
      result: { decision },
      answered: allows ? questionWords.approvedHostFromNow(host) : questionWords.declinedFromNow(host),
    },
  ];
}

function toolChoices({ params }: Extract<Asked, { kind: "toolApproval" }>): readonly Choice[] {
  const { persist } = metaOf(params);
  const scopes = Array.isArray(persist) ? persist : typeof persist === "string" ? [persist] : [];
  return [
    approve(elicitationResult("accept", {})),
    ...(scopes.includes("session") ? [forSession(elicitationResult("accept", {}, "session"))] : []),
    decline(elicitationResult("decline")),
    stop(elicitationResult("cancel")),
    ...(scopes.includes("always")
      ? [
          {
            id: "always",
            label: questionWords.alwaysAllowTool,
            role: "approveMore" as const,
            result: elicitationResult("accept", {}, "always"),
            answered: questionWords.approvedFromNow,
          },
        ]
      : []),
  ];
}
