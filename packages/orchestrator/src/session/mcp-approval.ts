import type { ElicitationRequest, UserInputRequest } from "@quire/client";

/** Id prefix of the question by which an app-server asks to call an MCP tool; the item's id follows. */
const questionPrefix = "mcp_tool_call_approval_";

/** Labels that agree to one call. Longer ones, for the session or for ever, are none of them. */
const once = /^(approve|allow)( once)?$/i;

/**
 * The label that agrees to a call of an MCP tool; undefined where the app-server asks for nothing of that kind. A model
 * chooses the ids of its own questions, but it does not know the id of the item by which they are asked.
 */
export function mcpApprovalAnswer({ questions, itemId }: UserInputRequest): string | undefined {
  const [question, ...more] = questions;
  if (question === undefined || more.length > 0 || itemId === "" || question.id !== questionPrefix + itemId) {
    return undefined;
  }
  return (question.options ?? []).map(({ label }) => label).find((label) => once.test(label.trim()));
}

/** True if the app-server itself, not an MCP server, asks: it marks its question, and there is no form to fill in. */
export function approvesMcpCall({ approvalKind, mode, form }: ElicitationRequest): boolean {
  return approvalKind === "mcp_tool_call" && mode === "form" && Object.keys(form?.properties ?? {}).length === 0;
}
