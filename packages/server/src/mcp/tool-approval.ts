import type { McpToolCallThreadItem } from "@quire/protocol";
import { askGuardian } from "../approval/ask.ts";
import type { ToolContext } from "../approval/tool-context.ts";
import type { ServerConfig } from "../config/mcp-config.ts";
import { isTable, ownValue } from "../lib/table.ts";
import type { ServerTool } from "./server-tools.ts";

/** Approvals that hold on: for the session, and in the config. */
export interface ApprovalMemory {
  has(config: ServerConfig, tool: ServerTool): boolean;
  /** True when an approval of a server's tools can be kept in the config. */
  canLast(config: ServerConfig): boolean;
  remember(config: ServerConfig, tool: ServerTool, until: "session" | "always"): void;
}

/** The key of an approval. A changed tool, or another server of the same name, has another key. */
export function toolKey({ name, pluginId, transport }: ServerConfig, { raw }: ServerTool): string {
  return JSON.stringify(["tool", name, pluginId ?? null, transport, raw]);
}

/** A call to approve. */
export interface Intent {
  readonly config: ServerConfig;
  readonly tool: ServerTool;
  readonly item: McpToolCallThreadItem;
}

/** True when a user should allow the tool: missing annotations count as bad. */
function isRisky({ annotations }: ServerTool): boolean {
  const { destructiveHint, readOnlyHint, openWorldHint } = annotations;
  if (destructiveHint === true) return true;
  if (readOnlyHint === true) return false;
  return destructiveHint !== false || openWorldHint !== false;
}

/** Gets approval for a call if needed. Returns the reason to refuse it. */
export async function refusal(
  intent: Intent,
  context: ToolContext,
  memory: ApprovalMemory,
): Promise<string | undefined> {
  const { config, tool } = intent;
  const mode = ownValue(config.toolApproval, tool.name) ?? config.defaultApproval;
  if (mode === "approve" || (mode === "auto" && !isRisky(tool)) || memory.has(config, tool)) return undefined;
  const { approvalPolicy, sandboxPolicy } = context.settings;
  if (approvalPolicy === "never") {
    // A thread that runs any command unasked may also call any tool.
    if (sandboxPolicy.type === "dangerFullAccess" || sandboxPolicy.type === "externalSandbox") return undefined;
    return "MCP tool call requires approval, but approval policy is never";
  }
  if (typeof approvalPolicy === "object" && approvalPolicy.granular.mcp_elicitations === false) {
    return "MCP tool call requires approval, but the approval policy has elicitations rejected";
  }
  return ask(intent, context, memory);
}

async function ask(
  { config, tool, item }: Intent,
  context: ToolContext,
  memory: ApprovalMemory,
): Promise<string | undefined> {
  const params = isTable(item.arguments) ? item.arguments : {};
  const review = await askGuardian(context, () => ({
    itemId: item.id,
    shown: { type: "mcpToolCall", server: config.name, toolName: tool.name },
    planned: {
      tool: "mcp_tool_call",
      server: config.name,
      name: tool.name,
      description: tool.description,
      annotations: tool.annotations,
      arguments: item.arguments,
    },
  }));
  if (review?.approved) return undefined;
  if (review) {
    review.afterwards();
    return review.reason;
  }
  const offered = memory.canLast(config) ? ["session", "always"] : ["session"];
  const release = context.hold("waitingOnApproval");
  let answer: unknown;
  try {
    answer = await context.ask("mcpServer/elicitation/request", {
      serverName: config.name,
      mode: "form",
      _meta: {
        codex_approval_kind: "mcp_tool_call",
        persist: offered,
        tool_name: tool.name,
        ...(typeof tool.raw.title === "string" && { tool_title: tool.raw.title }),
        tool_description: tool.description,
        ...(tool.raw.annotations !== undefined && { tool_annotations: tool.annotations }),
        tool_params: params,
        tool_params_display: Object.entries(params).map(([name, value]) => ({ name, value, display_name: name })),
      },
      message: `Allow the ${config.name} MCP server to run tool "${tool.name}"?`,
      requestedSchema: { type: "object", properties: {} },
    } as never);
  } catch (error) {
    if (context.signal.aborted) throw error;
    return "user rejected MCP tool call";
  } finally {
    release();
  }
  const { action, _meta: meta } = isTable(answer) ? answer : {};
  if (action === "cancel") return "user cancelled MCP tool call";
  if (action !== "accept") return "user rejected MCP tool call";
  const persist = isTable(meta) ? meta.persist : undefined;
  // No longer than was offered.
  if (persist === "session" || persist === "always")
    memory.remember(config, tool, offered.includes(persist) ? persist : "session");
  return undefined;
}
