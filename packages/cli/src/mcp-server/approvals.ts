import type { AdditionalPermissionProfile, FileUpdateChange } from "@quire/protocol";
import { commandWords, legacyChanges } from "./legacy-events.ts";
import { commandMessage, patchMessage } from "./question-text.ts";

/** Decisions as clients of `codex mcp-server` and of MCP name them. What is not among them is a no. */
const decisions: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
    approved: "accept",
    accept: "accept",
    approved_for_session: "acceptForSession",
    abort: "cancel",
    cancel: "cancel",
  }),
);

/** A question of the server about one item. */
export interface Question {
  readonly method: string;
  readonly params: {
    readonly threadId: string;
    readonly turnId: string;
    readonly itemId: string;
    readonly kind?: string | null;
    readonly command?: string | null;
    readonly additionalPermissions?: AdditionalPermissionProfile | null;
    readonly cwd?: string | null;
    readonly reason?: string | null;
    readonly grantRoot?: string | null;
  };
  /** The changes that the item would make. */
  readonly changes: readonly FileUpdateChange[];
}

/**
 * The question as an MCP elicitation; `undefined` for one that has no such form, and for changes that nobody could be
 * shown. Clients that do not know Codex show the message alone, so all that is asked is in it.
 */
export function elicitationOf({ method, params, changes }: Question, toolCallId: string): object | undefined {
  const { threadId, turnId, itemId, command, cwd, reason, grantRoot } = params;
  const common = {
    requestedSchema: { type: "object", properties: {} },
    threadId,
    codex_mcp_tool_call_id: toolCallId,
    codex_event_id: turnId,
    codex_call_id: itemId,
  };
  if (method === "item/commandExecution/requestApproval" && command)
    return {
      message: commandMessage({ ...params, command }),
      ...common,
      codex_elicitation: "exec-approval",
      codex_command: commandWords(command),
      codex_cwd: cwd ?? "",
      codex_parsed_cmd: [],
    };
  if (method === "item/fileChange/requestApproval" && changes.length > 0)
    return {
      message: patchMessage({ ...params, changes }),
      ...common,
      codex_elicitation: "patch-approval",
      ...(reason && { codex_reason: reason }),
      ...(grantRoot && { codex_grant_root: grantRoot }),
      codex_changes: legacyChanges(changes),
    };
  return undefined;
}

/** The client's answer as the server takes it. */
export function decisionOf(answer: unknown): string {
  const { decision, action } = (answer ?? {}) as { decision?: unknown; action?: unknown };
  return decisions.get(decision ?? action) ?? "decline";
}
