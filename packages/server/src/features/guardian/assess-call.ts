import type { ResponseItem, ThreadGuardianReviewResponse } from "@quire/protocol";
import { commandsOf } from "../../approval/commands.ts";
import { judgeCommand } from "../../approval/judge-command.ts";
import { judgeByRules } from "../../approval/rules/judge-rules.ts";
import { invalidRequest } from "../../lib/rpc-errors.ts";
import { callOf } from "../../record/call-items.ts";
import type { ToolCall } from "../../record/tool-call.ts";
import { shellCommand } from "../../run/process/shells.ts";
import type { Thread } from "../../thread/thread.ts";
import { reviewRequest } from "./guardian-prompt.ts";
import { ModelReviewer } from "./model-reviewer.ts";
import { transcriptOf } from "./review-transcript.ts";

/** Assesses the call with which a thread's history ends, without running it; `null` where nobody has to be asked. */
export async function assessCall(thread: Thread, signal: AbortSignal): Promise<ThreadGuardianReviewResponse> {
  const history = thread.record.history.map(({ item }) => item);
  const call = reviewable(history.at(-1));
  if (call === undefined)
    throw invalidRequest("expected a final plaintext exec_command, apply_patch, request_permissions, or MCP call");
  const args = argumentsOf(call);
  if (call.name === "exec_command" && !needsReview(thread, args)) return { callId: call.callId, assessment: null };
  const request = reviewRequest(transcriptOf(history.slice(0, -1)), { tool: call.name, ...args });
  const { allowed, rationale, risk, authorization } = await new ModelReviewer(thread, call.callId, signal).assess(
    request,
  );
  return {
    callId: call.callId,
    assessment: {
      outcome: allowed ? "allow" : "deny",
      rationale,
      riskLevel: risk,
      userAuthorization: authorization,
    },
  };
}

const names = new Set(["exec_command", "apply_patch", "request_permissions"]);

function reviewable(item: ResponseItem | undefined): ToolCall | undefined {
  const call = item && callOf(item);
  return call && (names.has(call.name) || call.namespace?.startsWith("mcp__")) ? call : undefined;
}

function argumentsOf({ arguments: given }: ToolCall): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(given);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Free text, as of a patch.
  }
  return { input: given };
}

/** Throws for a command that is refused whatever a reviewer says. */
function needsReview({ settings, approvals }: Thread, args: Readonly<Record<string, unknown>>): boolean {
  const { cmd, sandbox_permissions: wanted, justification } = args;
  if (typeof cmd !== "string") throw invalidRequest("exec_command has no `cmd`");
  const argv = shellCommand("/bin/bash", cmd, true);
  const commands = commandsOf(cmd, argv);
  const verdict = judgeCommand({
    policy: settings.approvalPolicy,
    sandbox: settings.sandboxPolicy.type,
    confinable: true,
    escalation: wanted === "require_escalated" ? "escalated" : "nothing",
    argv,
    commands,
    rules: judgeByRules(approvals.rules.rules(), commands),
    vetted: true,
    justification: typeof justification === "string" ? justification : null,
  });
  if (verdict.kind === "refuse") throw invalidRequest(verdict.reason);
  if (verdict.kind === "ask" && verdict.human) throw invalidRequest("Managed command policy requires human approval.");
  return verdict.kind === "ask";
}
