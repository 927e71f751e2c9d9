export type { SucceededCall, ToolBridgeOptions } from "./bridge/bridge-options.ts";
export { type BridgedCall, ToolBridge } from "./bridge/tool-bridge.ts";
export {
  beginTransaction,
  RestoreError,
  type Snapshotable,
  type Transaction,
  type TransactionOptions,
} from "./bridge/transaction.ts";
export type { ApiKeyAuth, Auth, ExternalTokenAuth, ExternalTokens } from "./evaluate/auth.ts";
export type {
  AgentApprovalPolicy,
  AgentClientConfig,
  AgentSandbox,
  AutoApproval,
  FullClientConfig,
  McpServer,
} from "./evaluate/client-config.ts";
export { CodexAgent, type CodexAgentOptions } from "./evaluate/codex-agent.ts";
export { AgentConfigError } from "./evaluate/config-error.ts";
export type { EvaluateOptions, Evaluation, OutputOf, ThreadSource } from "./evaluate/evaluation.ts";
export type { AgentModelConfig } from "./evaluate/model-config.ts";
export {
  adapterName,
  type EventFacts,
  type PromptExecutedFacts,
  type PromptRenderedFacts,
  promptExecuted,
  promptRendered,
  type RenderedToolsFacts,
  renderedTools,
  type ToolInvokedFacts,
  toolInvoked,
} from "./events/build-events.ts";
export {
  type ExecutedResult,
  PromptExecuted,
  type PromptExecutedEvent,
  PromptRendered,
  type PromptRenderedEvent,
  RenderedTools,
  type RenderedToolsEvent,
  type ToolDescription,
  ToolInvoked,
  type ToolInvokedEvent,
} from "./events/canonical.ts";
export { type NativeToolFacts, nativeToolInvoked } from "./events/native-tools.ts";
export {
  type AnyRecordType,
  type RecordKind,
  type RecordOf,
  type RecordOptions,
  type RecordType,
  record,
  recordTypeOf,
  type SlicePolicy,
} from "./events/record.ts";
export type { RunContext } from "./events/run-context.ts";
export { RecordError, SnapshotError, SnapshotRestoreError } from "./events/session-errors.ts";
export { type OkOptions, ToolResult } from "./events/tool-result.ts";
export { type Environment, hermeticEnv } from "./home/hermetic-env.ts";
export {
  createPrivateHome,
  type PrivateHome,
  type PrivateHomeOptions,
} from "./home/private-home.ts";
export { AgentError } from "./lib/agent-error.ts";
export { type Clock, systemClock } from "./lib/clock.ts";
export type { Logger } from "./lib/logger.ts";
export { type PromptErrorOptions, PromptRenderError, PromptValidationError } from "./lib/prompt-errors.ts";
export { type ExpansionRequest, VisibilityExpansionRequired } from "./lib/visibility-expansion.ts";
export { type Budget, type BudgetDimension, BudgetExceededError, defineBudget } from "./limits/budget.ts";
export { BudgetTracker } from "./limits/budget-tracker.ts";
export { Deadline, type DeadlineOptions } from "./limits/deadline.ts";
export { phaseOfTurnError } from "./limits/error-phase.ts";
export {
  DeadlineExceededError,
  type EvaluationErrorOptions,
  type EvaluationPayload,
  type EvaluationPhase,
  PromptEvaluationError,
} from "./limits/evaluation-error.ts";
export { addUsage, noUsage, type TokenUsage } from "./limits/token-usage.ts";
export { type AgentLoop, type PreparedRequest, runAgentLoop } from "./loops/agent-loop.ts";
export { evaluateWithExpansion } from "./loops/expansion.ts";
export { evaluateSideBySide, type PromptFor, type SideBySide } from "./loops/side-by-side.ts";
export {
  type ParsedOutput,
  type StructuredOutput,
  type StructuredOutputOptions,
  structuredOutput,
} from "./output/structured-output.ts";
export { StructuredOutputError } from "./output/structured-output-error.ts";
export { type ParamsBinding, paramsFor } from "./prompt/bound-params.ts";
export {
  allComplete,
  anyComplete,
  type Completion,
  type CompletionChecker,
  type CompletionContext,
  requiredFiles,
} from "./prompt/completion.ts";
export {
  type DeadlineFeedbackOptions,
  deadlineFeedback,
  type Feedback,
  type FeedbackContext,
  type FeedbackProvider,
  type FeedbackTrigger,
  staticFeedback,
} from "./prompt/feedback.ts";
export {
  type Bindable,
  type ComputedOptions,
  type MarkdownOptions,
  markdown,
  type ParamsOf,
  section,
} from "./prompt/make-sections.ts";
export { describePrompt, type PromptDescriptor } from "./prompt/overrides/descriptor.ts";
export { MemoryOverrides, type OverrideStore } from "./prompt/overrides/override-store.ts";
export type {
  PromptOverride,
  SectionOverride,
  TaskExamplesOverride,
  ToolOverride,
} from "./prompt/overrides/prompt-override.ts";
export { type Binding, Prompt, type PromptOptions, type RenderOptions } from "./prompt/prompt.ts";
export type { OutputContainer, PromptDefinition, PromptParts } from "./prompt/prompt-parts.ts";
export { definePrompt, PromptTemplate } from "./prompt/prompt-template.ts";
export type { RenderedPrompt } from "./prompt/rendered-prompt.ts";
export type { CloneOptions, ParamsSchema, SectionContext, SectionOptions } from "./prompt/section.ts";
export { type AnySection, type AnySectionOptions, Section, type SectionText } from "./prompt/section.ts";
export type { SectionNode } from "./prompt/section-tree.ts";
export { type Skill, SkillError, skill } from "./prompt/skill.ts";
export { type TaskExample, type TaskExamplesOptions, type TaskStep, taskExamples } from "./prompt/task-examples.ts";
export { escapeTemplate } from "./prompt/template-text.ts";
export { WorkspaceSection, type WorkspaceSectionOptions } from "./prompt/workspace-section.ts";
export { FilesystemResource } from "./resources/filesystem-resource.ts";
export {
  type Provider,
  provide,
  type Resolve,
  type ResourceBinding,
  type ResourceKey,
  type ResourceScope,
  resourceKey,
  supply,
} from "./resources/resource-binding.ts";
export { type CallResources, ResourceContext, type Resources } from "./resources/resource-context.ts";
export { ResourceError } from "./resources/resource-error.ts";
export { fingerprint } from "./schema/hash.ts";
export { CodexThread } from "./session/codex-thread.ts";
export { defineSlice, SliceDefinition, type SliceHandler, type SliceOptions } from "./session/define-slice.ts";
export { type Dispatcher, type DispatchResult, type EventHandler, InProcessDispatcher } from "./session/dispatcher.ts";
export { publish } from "./session/publish.ts";
export type { ReadonlySession, Reducer } from "./session/reducer.ts";
export { Session, type SessionOptions } from "./session/session.ts";
export type { RegisterOptions, Slice } from "./session/slice-accessor.ts";
export { append, clear, extend, replace, type SliceOp, type SliceView } from "./session/slice-op.ts";
export { SessionSnapshot, type SnapshotSlice } from "./session/snapshot.ts";
export { appendAll, replaceLatest, replaceLatestBy, upsertBy } from "./session/stock-reducers.ts";
export { SliceCleared, SliceSeeded } from "./session/system-events.ts";
export {
  ClearAllVisibilityOverrides,
  ClearVisibilityOverride,
  SetVisibilityOverride,
  type Visibility,
  VisibilityOverrides,
} from "./session/visibility-overrides.ts";
export type { ParamDescriptions } from "./tool/patched-schema.ts";
export { PolicyState } from "./tool/policy/policy-state.ts";
export { type ReadBeforeWriteOptions, readBeforeWrite } from "./tool/policy/read-before-write.ts";
export { type SequentialDependencyOptions, sequentialDependency } from "./tool/policy/sequential-dependency.ts";
export { allow, deny, type PolicyCall, type PolicyDecision, type ToolPolicy } from "./tool/policy/tool-policy.ts";
export { renderValue } from "./tool/render-value.ts";
export { type Tool, type ToolDefinition, type ToolExample, type ToolReturn, type ToolRun, tool } from "./tool/tool.ts";
export type { EvaluatedPrompt, Heartbeat, ToolContext } from "./tool/tool-context.ts";
export { type BundleFacts, type DebugBundle, debugBundle, type LogLine } from "./transcript/debug-bundle.ts";
export { Redactor } from "./transcript/redactor.ts";
export type { TranscriptEntry, TranscriptEntryType } from "./transcript/transcript-entry.ts";
export type { Filesystem } from "./workspace/filesystem.ts";
export { HostFilesystem } from "./workspace/host-filesystem.ts";
export type { HostMount } from "./workspace/host-mount.ts";
export type { HostMountPreview } from "./workspace/mount-preview.ts";
export { createWorkspace, Workspace, type WorkspaceOptions } from "./workspace/workspace.ts";
export {
  WorkspaceBudgetExceededError,
  WorkspaceError,
  WorkspaceNotFoundError,
  WorkspaceSecurityError,
} from "./workspace/workspace-error.ts";
