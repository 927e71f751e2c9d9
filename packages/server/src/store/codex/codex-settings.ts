import type { SandboxPolicy } from "@quire/protocol";
import type { TurnSettings } from "../../record/turn-settings.ts";
import { camel, camelKeys, type Fields, fields, list, text, textOrNull } from "./fields.ts";

/** The settings that a turn of Codex ran with, from its `turn_context`. */
export function settingsOf(context: Fields, modelProvider: string): TurnSettings {
  const cwd = text(context.cwd);
  const roots = list(context.runtime_workspace_roots).map(String);
  const mode = context.collaboration_mode;
  return {
    cwd,
    model: text(context.model),
    modelProvider,
    effort: textOrNull(context.effort),
    // Codex does not take it over from a stored thread either.
    summary: null,
    approvalPolicy: approvalPolicy(context.approval_policy),
    approvalsReviewer: oneOf(context.approvals_reviewer, ["user", "auto_review", "guardian_subagent"]) ?? "user",
    sandboxPolicy: sandboxPolicy(context.sandbox_policy),
    personality: oneOf(context.personality, ["none", "friendly", "pragmatic"]),
    serviceTier: textOrNull(context.service_tier),
    collaborationMode: mode ? (mode as NonNullable<TurnSettings["collaborationMode"]>) : null,
    multiAgentMode: oneOf(camel(text(context.multi_agent_mode)), ["proactive"]) ?? "explicitRequestOnly",
    runtimeWorkspaceRoots: roots.length > 0 ? roots : [cwd],
  };
}

function sandboxPolicy(value: unknown): SandboxPolicy {
  const policy = fields(value);
  const type = camel(text(policy.type));
  // Unknown permissions mean few.
  const known = ["dangerFullAccess", "workspaceWrite", "externalSandbox"].includes(type);
  return known ? ({ ...fields(camelKeys(policy)), type } as SandboxPolicy) : { type: "readOnly" };
}

function approvalPolicy(value: unknown): TurnSettings["approvalPolicy"] {
  if (typeof value === "object" && value !== null && "granular" in value)
    return value as TurnSettings["approvalPolicy"];
  // 0.118 has `on-failure`, which is no more.
  return oneOf(value, ["untrusted", "on-request", "never"]) ?? "on-request";
}

function oneOf<const Word extends string>(value: unknown, words: readonly Word[]): Word | null {
  return words.find((word) => word === value) ?? null;
}
