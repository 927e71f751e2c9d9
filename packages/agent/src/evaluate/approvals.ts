import type { ApprovalRequest, ElicitationRequest, QuestionHandlers } from "@quire/client";
import { type BeforeApproval, beforeApproval } from "@quire/client/guards";
import type { FullClientConfig } from "./client-config.ts";

const kinds = { command: "commands", fileChange: "fileChanges" } as const;

/**
 * Answers the server. The caller's hook and handlers go first. Otherwise nobody is there to agree, so an action is approved,
 * this once, only if the caller named its kind beforehand; more permissions are granted by a handler only.
 */
export function answers(
  config: FullClientConfig,
  hook?: BeforeApproval,
): Pick<QuestionHandlers, "onApproval" | "onUserInput" | "onElicitation"> {
  const named = new Set(config.autoApprove);
  const approve = (request: ApprovalRequest) =>
    request.kind !== "permissions" && named.has(kinds[request.kind]) ? "accept" : "decline";
  const elicited = (request: ElicitationRequest) =>
    isToolCall(request) && (named.has("mcpTools") || isConfigured(request, config)) ? "accept" : "decline";
  const decide = config.onApproval ?? approve;
  return {
    onApproval: hook ? beforeApproval(hook, decide) : decide,
    onUserInput: config.onUserInput ?? ((request) => request.decline()),
    onElicitation: config.onElicitation ?? elicited,
  };
}

/** Tells whether the server itself asks for a call of an MCP tool: it marks that, and there is nothing to fill in. */
function isToolCall({ approvalKind, mode, form }: ElicitationRequest): boolean {
  return approvalKind === "mcp_tool_call" && mode === "form" && Object.keys(form?.properties ?? {}).length === 0;
}

/** Approves tools of the MCP servers that the caller configured: an agent that never asks could not use them otherwise. */
function isConfigured(
  { serverName }: ElicitationRequest,
  { approvalPolicy, mcpServers = {} }: FullClientConfig,
): boolean {
  return approvalPolicy === "never" && Object.hasOwn(mcpServers, serverName);
}
