import type { ApprovalRequest, ElicitationRequest, QuestionHandlers } from "@quire/client";
import type { FullClientConfig } from "./client-config.ts";

const kinds = { command: "commands", fileChange: "fileChanges" } as const;

/**
 * Who answers the server. What the caller set goes first. Else nobody is there who could agree, so an action is approved,
 * this once, only if the caller named its kind beforehand; more permissions are granted by a handler only.
 */
export function answers(
  config: FullClientConfig,
): Pick<QuestionHandlers, "onApproval" | "onUserInput" | "onElicitation"> {
  const named = new Set(config.autoApprove);
  const approve = (request: ApprovalRequest) =>
    request.kind !== "permissions" && named.has(kinds[request.kind]) ? "accept" : "decline";
  const elicited = (request: ElicitationRequest) =>
    isToolCall(request) && (named.has("mcpTools") || isConfigured(request, config)) ? "accept" : "decline";
  return {
    onApproval: config.onApproval ?? approve,
    onUserInput: config.onUserInput ?? ((request) => request.decline()),
    onElicitation: config.onElicitation ?? elicited,
  };
}

/** Whether the server itself asks for a call of an MCP tool: it marks that, and there is nothing to fill in. */
function isToolCall({ approvalKind, mode, form }: ElicitationRequest): boolean {
  return approvalKind === "mcp_tool_call" && mode === "form" && Object.keys(form?.properties ?? {}).length === 0;
}

/** Whoever sets an MCP server up for an agent that never asks wants its tools used. */
function isConfigured(
  { serverName }: ElicitationRequest,
  { approvalPolicy, mcpServers = {} }: FullClientConfig,
): boolean {
  return approvalPolicy === "never" && Object.hasOwn(mcpServers, serverName);
}
