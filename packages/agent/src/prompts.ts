/** Parts of prompts beyond the common ones: sections of your own, overrides, task examples, resources, feedback, completion, output. */
export type { PromptErrorOptions } from "./lib/prompt-errors.ts";
export type { ExpansionRequest } from "./lib/visibility-expansion.ts";
export {
  type ParsedOutput,
  type StructuredOutput,
  type StructuredOutputOptions,
  structuredOutput,
} from "./output/structured-output.ts";
export { type ParamsBinding, paramsFor } from "./prompt/bound-params.ts";
export type { Completion, CompletionChecker, CompletionContext } from "./prompt/completion.ts";
export type {
  DeadlineFeedbackOptions,
  Feedback,
  FeedbackContext,
  FeedbackProvider,
  FeedbackTrigger,
} from "./prompt/feedback.ts";
export type { Bindable, ComputedOptions, MarkdownOptions, ParamsOf } from "./prompt/make-sections.ts";
export { describePrompt, type PromptDescriptor } from "./prompt/overrides/descriptor.ts";
export { MemoryOverrides, type OverrideStore } from "./prompt/overrides/override-store.ts";
export type {
  PromptOverride,
  SectionOverride,
  TaskExamplesOverride,
  ToolOverride,
} from "./prompt/overrides/prompt-override.ts";
export type { Binding, PromptOptions, RenderOptions } from "./prompt/prompt.ts";
export type { OutputContainer, PromptParts } from "./prompt/prompt-parts.ts";
export type { RenderedPrompt } from "./prompt/rendered-prompt.ts";
export {
  type AnySection,
  type AnySectionOptions,
  type CloneOptions,
  type ParamsSchema,
  Section,
  type SectionContext,
  type SectionOptions,
  type SectionText,
} from "./prompt/section.ts";
export type { SectionNode } from "./prompt/section-tree.ts";
export type { Skill } from "./prompt/skill.ts";
export { type TaskExample, type TaskExamplesOptions, type TaskStep, taskExamples } from "./prompt/task-examples.ts";
export { escapeTemplate } from "./prompt/template-text.ts";
export type { WorkspaceSectionOptions } from "./prompt/workspace-section.ts";
export type { Provider, Resolve, ResourceBinding, ResourceKey, ResourceScope } from "./resources/resource-binding.ts";
export type { CallResources, ResourceContext, Resources } from "./resources/resource-context.ts";
export type { Visibility } from "./session/visibility-overrides.ts";
