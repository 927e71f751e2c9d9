import type { TokenUsage } from "@quire/client/guards";
import type { ToolInvokedEvent } from "../events/canonical.ts";
import type { RunContext } from "../events/run-context.ts";
import type { ToolResult } from "../events/tool-result.ts";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import type { VisibilityExpansionRequired } from "../lib/visibility-expansion.ts";
import type { BudgetTracker } from "../limits/budget-tracker.ts";
import type { Deadline } from "../limits/deadline.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { RenderedPrompt } from "../prompt/rendered-prompt.ts";
import type { Session } from "../session/session.ts";
import type { Tool } from "../tool/tool.ts";
import type { Heartbeat, ToolContext } from "../tool/tool-context.ts";
import type { RestoreError } from "./transaction.ts";

/** A call that succeeded. */
export interface SucceededCall {
  readonly tool: Tool;
  readonly context: ToolContext;
  readonly result: ToolResult;
}

/** Options of a `ToolBridge`. */
export interface ToolBridgeOptions {
  readonly prompt: Prompt;
  readonly rendered: RenderedPrompt;
  readonly session: Session;
  /** The name under which the evaluation appears in events. Default `codex_app_server`. */
  readonly adapter?: string | undefined;
  readonly deadline?: Deadline | undefined;
  readonly budgetTracker?: BudgetTracker | undefined;
  readonly heartbeat?: Heartbeat | undefined;
  readonly runContext?: RunContext | undefined;
  /** Ends all calls. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  readonly logger?: Logger | undefined;
  /** More for the model to read after a call that succeeded. */
  readonly feedback?: ((call: SucceededCall) => Promise<readonly string[]>) | undefined;
  /** Tokens used so far, for events. */
  readonly usage?: (() => TokenUsage | undefined) | undefined;
  /** Called with the event of each call, after the session got it. */
  readonly onInvoked?: ((event: ToolInvokedEvent) => void) | undefined;
  /** Called once, when the model first asks for sections. */
  readonly onExpansion?: ((expansion: VisibilityExpansionRequired) => void) | undefined;
  /** Called once, when a call finds the budget exceeded. */
  readonly onBudgetExceeded?: ((error: unknown) => void) | undefined;
  /** Called for each call whose changes could not be rolled back. */
  readonly onRestoreFailed?: ((error: RestoreError) => void) | undefined;
}
