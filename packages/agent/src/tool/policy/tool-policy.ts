import type { ToolResult } from "../../events/tool-result.ts";
import type { Tool } from "../tool.ts";
import type { ToolContext } from "../tool-context.ts";

/** A call that a policy judges. */
export interface PolicyCall {
  readonly tool: Tool;
  /** Already checked against the tool's schema. */
  readonly input: unknown;
  readonly context: ToolContext;
}

/** A policy's verdict on a call. */
export type PolicyDecision = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** Rules on which calls of tools may be made. */
export interface ToolPolicy {
  readonly name: string;
  /** Asked before the tool runs. The first policy that denies decides, and the model reads its reason. */
  check(call: PolicyCall): PolicyDecision | Promise<PolicyDecision>;
  /** Told of each call that succeeded. What it changes in the session is rolled back with the call. */
  onResult?(call: PolicyCall, result: ToolResult): void | Promise<void>;
}

/** The call may be made. */
export const allow = (): PolicyDecision => ({ allowed: true });

/** The call may not be made. */
export const deny = (reason = "This call is denied by policy."): PolicyDecision => ({ allowed: false, reason });
