import type { ActionParts } from "../../approval/action.ts";
import { mayEscalate } from "../../approval/judge-command.ts";
import { isEmpty } from "../../approval/permissions.ts";
import { type ToolContext, ToolFailure } from "../../approval/tool-context.ts";
import type { Arguments } from "../arguments.ts";
import { readArgument } from "../request-permissions.ts";

/** The request of an `exec_command` call to go beyond the sandbox. */
export type EscalationRequest = Pick<ActionParts, "escalation" | "more" | "justification" | "prefixRule">;

const escalations = {
  use_default: "nothing",
  require_escalated: "escalated",
  with_additional_permissions: "more",
} as const;

/** Reads it. `mayAskMore`: whether a call may ask to widen the sandbox for itself. */
export function readEscalation(args: Arguments, mayAskMore: boolean, { settings }: ToolContext): EscalationRequest {
  const names = Object.keys(escalations) as (keyof typeof escalations)[];
  const escalation = escalations[args.choice("sandbox_permissions", names) ?? "use_default"];
  const justification = args.text("justification") ?? null;
  const prefixRule = args.optionalTexts("prefix_rule");
  // When nobody can be asked, the policy itself reports that.
  if (escalation !== "more" || !mayEscalate(settings.approvalPolicy)) return { escalation, justification, prefixRule };
  if (!mayAskMore) {
    throw new ToolFailure(
      "additional permissions are disabled; enable `features.exec_permission_approvals` before using `with_additional_permissions`",
    );
  }
  const more = readArgument(args.value("additional_permissions") ?? {}, settings.cwd);
  if (isEmpty(more)) {
    throw new ToolFailure("`with_additional_permissions` needs `additional_permissions` with at least one permission");
  }
  return { escalation, more, justification, prefixRule };
}
