import type { TokenUsage } from "@quire/client/guards";
import { type RecordOf, type RecordType, record } from "./record.ts";
import type { RunContext } from "./run-context.ts";
import type { ToolResult } from "./tool-result.ts";

/** The common part of events. */
interface Common {
  readonly eventId: string;
  /** ISO 8601, in UTC. */
  readonly createdAt: string;
  /** The session that it happened in. */
  readonly sessionId: string | null;
}

/** A prompt was rendered, and is about to be sent. */
export const PromptRendered: RecordType<
  Common & {
    readonly promptNs: string;
    readonly promptKey: string;
    readonly promptName: string | null;
    readonly adapter: string;
    /** The parameters that were bound. */
    readonly renderInputs: readonly unknown[];
    /** The text. */
    readonly renderedPrompt: string;
    /** The hashes that overrides are compared with. */
    readonly descriptor: unknown;
    readonly runContext: RunContext | null;
  }
> = record("quire.promptRendered", undefined, { policy: "log" });

/** A {@link PromptRendered} event. */
export type PromptRenderedEvent = RecordOf<typeof PromptRendered>;

/** A tool as the model sees it. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: object;
}

/** The tools that went with a rendered prompt. */
export const RenderedTools: RecordType<
  Common & {
    readonly promptNs: string;
    readonly promptKey: string;
    readonly tools: readonly ToolDescription[];
    /** The `eventId` of the {@link PromptRendered} that it belongs to. */
    readonly renderEventId: string;
  }
> = record("quire.renderedTools", undefined, { policy: "log" });

/** A {@link RenderedTools} event. */
export type RenderedToolsEvent = RecordOf<typeof RenderedTools>;

/** A tool was called: one of the prompt's, or one of the agent's own. */
export const ToolInvoked: RecordType<
  Common & {
    readonly promptName: string;
    readonly adapter: string;
    /** The tool's name; the agent's own tools begin with `codex:`. */
    readonly name: string;
    readonly params: unknown;
    readonly result: ToolResult;
    /** Tokens used by then. */
    readonly usage: TokenUsage | null;
    /** The text for the model, at most 1000 characters of it. */
    readonly renderedOutput: string;
    readonly callId: string | null;
    readonly runContext: RunContext | null;
  }
> = record("quire.toolInvoked", undefined, { policy: "log" });

/** A {@link ToolInvoked} event. */
export type ToolInvokedEvent = RecordOf<typeof ToolInvoked>;

/** The result of an evaluation in its {@link PromptExecuted} event. */
export interface ExecutedResult {
  readonly promptName: string;
  readonly text: string | null;
  readonly output: unknown;
}

/** A prompt was evaluated, and well. */
export const PromptExecuted: RecordType<
  Common & {
    readonly promptName: string;
    readonly adapter: string;
    readonly result: ExecutedResult;
    /** Tokens that the evaluation used. */
    readonly usage: TokenUsage | null;
    readonly runContext: RunContext | null;
  }
> = record("quire.promptExecuted", undefined, { policy: "log" });

/** A {@link PromptExecuted} event. */
export type PromptExecutedEvent = RecordOf<typeof PromptExecuted>;
