import { adapterName } from "../events/build-events.ts";
import { isToolResult, ToolResult } from "../events/tool-result.ts";
import { untilAborted } from "../lib/until-aborted.ts";
import { VisibilityExpansionRequired } from "../lib/visibility-expansion.ts";
import { FilesystemResource } from "../resources/filesystem-resource.ts";
import type { CallResources } from "../resources/resource-context.ts";
import type { PolicyCall } from "../tool/policy/tool-policy.ts";
import { resultText } from "../tool/render-value.ts";
import type { Tool } from "../tool/tool.ts";
import type { ToolContext } from "../tool/tool-context.ts";
import type { ToolBridgeOptions } from "./bridge-options.ts";
import { type CallOutcome, failed } from "./call-outcome.ts";
import { parseArguments } from "./parse-arguments.ts";
import { beginTransaction, RestoreError, type Transaction } from "./transaction.ts";

/** A call that the server asks for. */
export interface CallRequest {
  readonly name: string;
  /** The arguments as they came. */
  readonly given: unknown;
  readonly callId: string | null;
  readonly signal: AbortSignal;
}

/** A call that was made. */
export interface RanCall {
  readonly outcome: CallOutcome;
  /** Those that the handler got; where it got none, as they came. */
  readonly params: unknown;
  /** Undefined where the handler was not reached. */
  readonly context: ToolContext | undefined;
}

/** Runs calls of tools as transactions. It never rejects. */
export class ToolRunner {
  readonly #options: ToolBridgeOptions;
  #expansion: VisibilityExpansionRequired | undefined;

  constructor(options: ToolBridgeOptions) {
    this.#options = options;
  }

  /** The first request for sections, if there was one. */
  get expansion(): VisibilityExpansionRequired | undefined {
    return this.#expansion;
  }

  /** Checks the arguments, asks the policies, runs the handler; takes back what a call that failed has changed. */
  async run(tool: Tool, request: CallRequest): Promise<RanCall> {
    const { given } = request;
    const refused = (outcome: CallOutcome): RanCall => ({ outcome, params: given, context: undefined });
    try {
      const parsed = await parseArguments(tool, given);
      if (!parsed.ok) return refused(failed(parsed.message));
      const { session, prompt, logger } = this.#options;
      await using resources = prompt.resources.forCall();
      const context = this.#context(request, resources);
      const transaction = await beginTransaction({
        tag: `tool:${tool.name}`,
        session,
        resources: prompt.resources.singletons,
        logger,
      });
      const call: PolicyCall = { tool, params: parsed.params, context };
      const outcome = await this.#execute(call, transaction, request.signal);
      return { outcome, params: parsed.params, context };
    } catch (error) {
      return refused(failed(`Tool "${tool.name}" could not be run: ${messageOf(error)}`));
    }
  }

  async #execute(call: PolicyCall, transaction: Transaction, signal: AbortSignal): Promise<CallOutcome> {
    let outcome: CallOutcome;
    try {
      outcome = await untilAborted(this.#attempt(call), signal);
    } catch (error) {
      outcome = this.#outcomeOf(error, call.tool);
    }
    if (outcome.result.success) return outcome;
    try {
      await transaction.rollBack();
      return outcome;
    } catch (error) {
      if (error instanceof RestoreError) this.#options.onRestoreFailed?.(error);
      return failed(messageOf(error));
    }
  }

  async #attempt(call: PolicyCall): Promise<CallOutcome> {
    const { tool, params, context } = call;
    const policies = this.#options.rendered.policiesFor(tool.name);
    for (const policy of policies) {
      const decision = await policy.check(call);
      if (!decision.allowed) return failed(decision.reason);
    }
    context.signal.throwIfAborted();
    const result: unknown = await tool.handler?.(params, context);
    // What was rolled back meanwhile must not be noted as a success.
    context.signal.throwIfAborted();
    if (!isToolResult(result))
      return failed(`Tool "${tool.name}" gave no result: return ToolResult.ok(…) or .error(…)`);
    const text = resultText(result, this.#options.logger);
    if (result.success) for (const policy of policies) await policy.onResult?.(call, result);
    return { result, text, success: result.success };
  }

  #outcomeOf(error: unknown, tool: Tool): CallOutcome {
    if (!(error instanceof VisibilityExpansionRequired)) {
      this.#options.logger?.warn?.(`Tool "${tool.name}" failed`, error);
      return failed(messageOf(error) || `Tool "${tool.name}" failed`);
    }
    if (this.#expansion === undefined) {
      this.#expansion = error;
      this.#options.onExpansion?.(error);
    }
    const text = `The sections ${error.sectionKeys.join(", ")} will be shown in full. Stop here: the task starts again with them.`;
    return { result: ToolResult.error(error.message), text, success: true };
  }

  #context({ callId, signal }: CallRequest, resources: CallResources): ToolContext {
    const { prompt, rendered, session, adapter = adapterName, ...options } = this.#options;
    return {
      prompt,
      renderedPrompt: rendered,
      adapter,
      session,
      deadline: options.deadline,
      budgetTracker: options.budgetTracker,
      heartbeat: options.heartbeat,
      runContext: options.runContext,
      resources,
      filesystem: resources.peek(FilesystemResource),
      signal,
      callId,
      beat: () => options.heartbeat?.beat(),
    };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
