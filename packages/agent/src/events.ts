/** The types of the events of an evaluation, and functions that make them. */
export {
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
export type {
  ExecutedResult,
  PromptExecutedEvent,
  PromptRenderedEvent,
  RenderedToolsEvent,
  ToolDescription,
  ToolInvokedEvent,
} from "./events/canonical.ts";
export { type NativeToolFacts, nativeToolInvoked } from "./events/native-tools.ts";
