import type { ToolContext as ClientToolContext } from "@quire/client";
import { failureMessage, untilAborted } from "@quire/client/link";
import { adapterName } from "../events/build-events.ts";
import { ToolResult, toToolResult } from "../events/tool-result.ts";
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
  readonly context: ClientToolContext;
}

/** A call that was made. */
export interface RanCall {
  readonly outcome: CallOutcome;
  /** The input that the tool got; where it got none, the arguments as they came. */
  readonly input: unknown;
  /** Undefined where the tool was not reached. */
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

  /** Checks the arguments, asks the policies, runs the tool; rolls back a call that failed. */
  async run(tool: Tool, request: CallRequest): Promise<RanCall> {
    const { given } = request;
    const refused = (outcome: CallOutcome): RanCall => ({ outcome, input: given, context: undefined });
    try {
      const parsed = await parseArguments(tool, given);
      if (!parsed.ok) return refused(failed(parsed.message));
      const { session, prompt, logger } = this.#options;
      await using resources = prompt.resources.forCall();
      const context = this.#context(request.context, resources);
      const transaction = await beginTransaction({
        tag: `tool:${tool.name}`,
        session,
        resources: prompt.resources.singletons,
        logger,
      });
      const call: PolicyCall = { tool, input: parsed.input, context };
      const outcome = await this.#execute(call, transaction);
      return { outcome, input: parsed.input, context };
    } catch (error) {
      return refused(failed(`Tool "${tool.name}" could not be run: ${failureMessage(error)}`));
    }
  }

  async #execute(call: PolicyCall, transaction: Transaction): Promise<CallOutcome> {
    let outcome: CallOutcome;
    try {
      outcome = await untilAborted(this.#attempt(call), call.context.signal);
    } catch (error) {
      outcome = this.#outcomeOf(error, call.tool);
    }
    if (outcome.result.success) return outcome;
    try {
      await transaction.rollBack();
      return outcome;
    } catch (error) {
      if (error instanceof RestoreError) this.#options.onRestoreFailed?.(error);
      return failed(failureMessage(error));
    }
  }

  async #attempt(call: PolicyCall): Promise<CallOutcome> {
    const { tool, input, context } = call;
    const policies = this.#options.rendered.policiesFor(tool.name);
    for (const policy of policies) {
      const decision = await policy.check(call);
      if (!decision.allowed) return failed(decision.reason);
    }
    context.signal.throwIfAborted();
    const result = toToolResult(await tool.run?.(input, context));
    // What was rolled back meanwhile must not be noted as a success.
    context.signal.throwIfAborted();
    const text = resultText(result, this.#options.logger);
    if (result.success) for (const policy of policies) await policy.onResult?.(call, result);
    return { result, text, success: result.success };
  }

  #outcomeOf(error: unknown, tool: Tool): CallOutcome {
    if (!(error instanceof VisibilityExpansionRequired)) {
      this.#options.logger?.warn?.(`Tool "${tool.name}" failed`, error);
      return failed(failureMessage(error) || `Tool "${tool.name}" failed`);
    }
    if (this.#expansion === undefined) {
      this.#expansion = error;
      this.#options.onExpansion?.(error);
    }
    const text = `The sections ${error.sectionKeys.join(", ")} will be shown in full. Stop here: the task starts again with them.`;
    return { result: ToolResult.error(error.message), text, success: true };
  }

  #context(call: ClientToolContext, resources: CallResources): ToolContext {
    const { prompt, rendered, session, adapter = adapterName, ...options } = this.#options;
    return {
      ...call,
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
      beat: () => options.heartbeat?.beat(),
    };
  }
}
