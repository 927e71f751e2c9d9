export type { TokenUsage } from "@quire/client/guards";
export { RestoreError } from "./bridge/transaction.ts";
export type { AgentHooks, AgentTurnContext } from "./evaluate/agent-hooks.ts";
export type { ApiKeyAuth, Auth, ExternalTokenAuth, ExternalTokens } from "./evaluate/auth.ts";
export type {
  AgentApprovalPolicy,
  AgentClientConfig,
  AgentSandbox,
  AutoApproval,
  McpServer,
} from "./evaluate/client-config.ts";
export { CodexAgent, type CodexAgentOptions } from "./evaluate/codex-agent.ts";
export { AgentConfigError } from "./evaluate/config-error.ts";
export type { EvaluateOptions, Evaluation, OutputOf, ThreadSource } from "./evaluate/evaluation.ts";
export type { EvaluationEvent } from "./evaluate/evaluation-event.ts";
export { EvaluationStream } from "./evaluate/evaluation-stream.ts";
export type { AgentModelConfig } from "./evaluate/model-config.ts";
export { PromptExecuted, PromptRendered, RenderedTools, ToolInvoked } from "./events/canonical.ts";
export { record } from "./events/record.ts";
export type { RunContext } from "./events/run-context.ts";
export { RecordError, SnapshotError, SnapshotRestoreError } from "./events/session-errors.ts";
export { ToolResult } from "./events/tool-result.ts";
export { AgentError } from "./lib/agent-error.ts";
export { PromptRenderError, PromptValidationError } from "./lib/prompt-errors.ts";
export { VisibilityExpansionRequired } from "./lib/visibility-expansion.ts";
export {
  type Budget,
  type BudgetDimension,
  BudgetExceededError,
  type Consumption,
  defineBudget,
} from "./limits/budget.ts";
export { BudgetTracker } from "./limits/budget-tracker.ts";
export { Deadline } from "./limits/deadline.ts";
export {
  DeadlineExceededError,
  type EvaluationPayload,
  type EvaluationPhase,
  PromptEvaluationError,
} from "./limits/evaluation-error.ts";
export { type AgentLoop, type PreparedRequest, runAgentLoop } from "./loops/agent-loop.ts";
export { evaluateWithExpansion } from "./loops/expansion.ts";
export { evaluateSideBySide, type PromptFor, type SideBySide } from "./loops/side-by-side.ts";
export { StructuredOutputError } from "./output/structured-output-error.ts";
export { allComplete, anyComplete, requiredFiles } from "./prompt/completion.ts";
export { deadlineFeedback, staticFeedback } from "./prompt/feedback.ts";
export { markdown, section } from "./prompt/make-sections.ts";
export { Prompt } from "./prompt/prompt.ts";
export type { PromptDefinition } from "./prompt/prompt-parts.ts";
export { definePrompt, PromptTemplate } from "./prompt/prompt-template.ts";
export { SkillError, skill } from "./prompt/skill.ts";
export { WorkspaceSection } from "./prompt/workspace-section.ts";
export { provide, resourceKey, supply } from "./resources/resource-binding.ts";
export { ResourceError } from "./resources/resource-error.ts";
export { CodexThread } from "./session/codex-thread.ts";
export { defineSlice } from "./session/define-slice.ts";
export { InProcessDispatcher } from "./session/dispatcher.ts";
export { Session } from "./session/session.ts";
export { SessionSnapshot } from "./session/snapshot.ts";
export { readBeforeWrite } from "./tool/policy/read-before-write.ts";
export { sequentialDependency } from "./tool/policy/sequential-dependency.ts";
export { allow, deny, type ToolPolicy } from "./tool/policy/tool-policy.ts";
export { type Tool, type ToolDefinition, tool } from "./tool/tool.ts";
export type { ToolContext } from "./tool/tool-context.ts";
export type { DebugBundle } from "./transcript/debug-bundle.ts";
export type { TranscriptEntry, TranscriptEntryType } from "./transcript/transcript-entry.ts";
export type { HostMount } from "./workspace/host-mount.ts";
export type { HostMountPreview } from "./workspace/mount-preview.ts";
export { createWorkspace, Workspace, type WorkspaceOptions } from "./workspace/workspace.ts";
export {
  WorkspaceBudgetExceededError,
  WorkspaceError,
  WorkspaceNotFoundError,
  WorkspaceSecurityError,
} from "./workspace/workspace-error.ts";
