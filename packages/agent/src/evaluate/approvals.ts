import type { ApprovalRequest, ElicitationRequest, QuestionHandlers } from "@quire/client";
import type { AgentApprovalPolicy, FullClientConfig } from "./client-config.ts";

/** Nobody sits in front of an agent, so the sandbox is the boundary; `on-request` is for who wants every gate closed. */
const decisions: Readonly<Record<AgentApprovalPolicy, "accept" | "decline">> = {
  never: "accept",
  untrusted: "accept",
  "on-failure": "accept",
  "on-request": "decline",
};

/**
 * Who answers the server. What the caller set goes first. Else commands and file changes, and calls of the MCP servers
 * that the caller configured, are answered by the policy. More permissions are granted by a handler only.
 */
export function answers(
  config: FullClientConfig,
): Pick<QuestionHandlers, "onApproval" | "onUserInput" | "onElicitation"> {
  const decision = decisions[config.approvalPolicy];
  const byPolicy = (request: ApprovalRequest) => (request.kind === "permissions" ? "decline" : decision);
  const elicited = (request: ElicitationRequest) => (request.approvalKind === undefined ? "decline" : decision);
  return {
    onApproval: config.onApproval ?? byPolicy,
    onUserInput: config.onUserInput ?? ((request) => request.decline()),
    onElicitation: config.onElicitation ?? elicited,
  };
}
