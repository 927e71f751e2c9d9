import type { Settings } from "./settings.ts";
import { WorkflowError } from "./workflow-error.ts";

const kinds = ["mcp_tools", "commands", "file_changes", "permissions"] as const;

/** A kind of approval that the orchestrator may give by itself. */
export type AutoApproval = (typeof kinds)[number];

/**
 * Reads `codex.auto_approve`. Where it is not set, calls of MCP tools are approved under the policy `never`, as the person
 * who chose it and set the MCP server up wanted. An app-server asks for nothing else under that policy; one that does all
 * the same is not obeyed.
 */
export function parseAutoApprove(settings: Settings): readonly AutoApproval[] {
  const given = settings.texts("auto_approve");
  if (given === undefined)
    return settings.raw("approval_policy") === undefined || isNever(settings) ? ["mcp_tools"] : [];
  return given.map((name) => {
    const kind = kinds.find((one) => one === name.trim());
    if (kind !== undefined) return kind;
    throw new WorkflowError(
      "invalid_workflow_config",
      `codex.auto_approve names ${JSON.stringify(name)}: use ${kinds.join(", ")}`,
    );
  });
}

const isNever = (settings: Settings) => settings.raw("approval_policy") === "never";
