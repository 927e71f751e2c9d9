import type { Tool as ClientTool, JsonSchema, ToolContext, ToolPart } from "@quire/client";
import { failureMessage, untilAborted } from "@quire/client/link";
import type { StandardSchema } from "@quire/client/schemas";
import { type FlatToolSpec, flatToolSpecs } from "@quire/client/tools";
import type { DynamicToolCallParams, DynamicToolCallResponse } from "@quire/protocol";
import { adapterName, toolInvoked } from "../events/build-events.ts";
import { joinedSignal } from "../lib/joined-signal.ts";
import type { VisibilityExpansionRequired } from "../lib/visibility-expansion.ts";
import { publish } from "../session/publish.ts";
import { patchedSchema } from "../tool/patched-schema.ts";
import type { Tool } from "../tool/tool.ts";
import type { ToolBridgeOptions } from "./bridge-options.ts";
import { type CallOutcome, failed, toReply } from "./call-outcome.ts";
import { type CallRequest, ToolRunner } from "./tool-runner.ts";

/** A request of the server that {@link ToolBridge.call} answers. */
export type BridgedCall = Pick<DynamicToolCallParams, "tool" | "arguments" | "callId" | "threadId" | "turnId">;

/**
 * Lets a server call a rendered prompt's tools. Each call is a transaction: what a failed one changed in the session and in
 * resources is rolled back. There is one at a time per session; other calls wait.
 */
export class ToolBridge {
  readonly #options: ToolBridgeOptions;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #runner: ToolRunner;
  #spent: unknown;

  constructor(options: ToolBridgeOptions) {
    this.#options = options;
    const callable = options.rendered.tools.filter(({ run }) => run !== undefined);
    this.#tools = new Map(callable.map((each) => [each.name, each]));
    this.#runner = new ToolRunner(options);
  }

  /** The first request for sections, if there was one. */
  get expansion(): VisibilityExpansionRequired | undefined {
    return this.#runner.expansion;
  }

  /** The tools as `dynamicTools` of `thread/start` describes them. Those that the prompt only mentions are left out. */
  async specs(): Promise<FlatToolSpec[]> {
    return flatToolSpecs(await this.tools());
  }

  /** The tools for a thread of `@quire/client`. */
  tools(): Promise<ClientTool[]> {
    return Promise.all([...this.#tools.values()].map((each) => this.#clientTool(each)));
  }

  async #clientTool(tool: Tool): Promise<ClientTool> {
    const { name, description, namespace, deferLoading } = tool;
    // The call itself refuses what does not fit, and then emits its event.
    const input = unchecked(await patchedSchema(tool, this.#options.rendered.paramDescriptions));
    const run = async (given: unknown, { signal, ...ids }: ToolContext): Promise<ToolPart[]> => {
      const args = given as DynamicToolCallParams["arguments"];
      const reply = await this.call({ tool: name, arguments: args, ...ids }, signal);
      const parts = reply.contentItems.map(toPart);
      if (reply.success) return parts;
      throw new Error(parts.map((part) => (part.type === "text" ? part.text : "")).join("\n"));
    };
    return { name, description, namespace, deferLoading, input, run };
  }

  /** Answers `item/tool/call`. It never rejects: the model reads what went wrong, and the turn continues. */
  async call(request: BridgedCall, signal?: AbortSignal | undefined): Promise<DynamicToolCallResponse> {
    const { callId, threadId, turnId } = request;
    const joined = joinedSignal([this.#options.signal, signal].filter((each) => each !== undefined));
    const call: CallRequest = {
      name: request.tool,
      given: request.arguments,
      context: { callId, threadId, turnId, signal: joined.signal },
    };
    let hasBegun = false;
    const answer = this.#options.session.calls.run(() => {
      hasBegun = true;
      return this.#answer(call);
    });
    void answer.then(joined.release, joined.release);
    try {
      return await untilAborted(answer, call.context.signal);
    } catch (error) {
      // A running call is answered after its roll-back; a waiting one has nothing to roll back.
      if (hasBegun) return answer;
      return toReply(failed(`Tool "${call.name}" was not run: ${failureMessage(error)}`));
    }
  }

  async #answer(call: CallRequest): Promise<DynamicToolCallResponse> {
    const tool = this.#tools.get(call.name);
    const refusal = this.#refusal(call);
    if (tool === undefined || refusal !== undefined) {
      const known = [...this.#tools.keys()].join(", ") || "there are none";
      const outcome = failed(refusal ?? `Unknown tool "${call.name}". Known tools: ${known}`);
      this.#emit(call, call.given, outcome);
      return toReply(outcome);
    }
    const { input, outcome, context } = await this.#runner.run(tool, call);
    this.#emit(call, input, outcome);
    const exceeded = this.#checkBudget();
    if (exceeded !== undefined) return toReply(failed(exceeded));
    if (!outcome.result.success || context === undefined) return toReply(outcome);
    return toReply(outcome, await this.#feedback({ tool, context, result: outcome.result }));
  }

  #refusal({ context: { signal } }: CallRequest): string | undefined {
    if (signal.aborted) return `The call came too late: ${failureMessage(signal.reason)}`;
    if (this.#options.deadline?.expired) return "The deadline has passed: no more tools can be called.";
    return this.#spent === undefined ? undefined : failureMessage(this.#spent);
  }

  #checkBudget(): string | undefined {
    try {
      this.#options.budgetTracker?.check();
      return undefined;
    } catch (error) {
      const isFirst = this.#spent === undefined;
      this.#spent ??= error;
      if (isFirst) this.#options.onBudgetExceeded?.(error);
      return failureMessage(error);
    }
  }

  async #feedback(call: Parameters<NonNullable<ToolBridgeOptions["feedback"]>>[0]): Promise<readonly string[]> {
    try {
      return (await this.#options.feedback?.(call)) ?? [];
    } catch (error) {
      this.#options.logger?.warn?.("Feedback could not be given", error);
      return [];
    }
  }

  #emit({ name, context: { callId } }: CallRequest, params: unknown, { result, text }: CallOutcome): void {
    const { session, prompt, adapter = adapterName, runContext, clock, usage, logger, onInvoked } = this.#options;
    const facts = { promptName: prompt.eventName, adapter, sessionId: session.id, runContext, clock };
    try {
      const event = toolInvoked({ ...facts, name, params, result, renderedOutput: text, callId, usage: usage?.() });
      publish(session, event, logger);
      onInvoked?.(event);
    } catch (error) {
      logger?.warn?.("An event could not be made", error);
    }
  }
}

function unchecked(inputSchema: JsonSchema): StandardSchema {
  const copy = () => ({ ...inputSchema });
  return {
    "~standard": {
      version: 1,
      vendor: "quire",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: copy, output: copy },
    },
  };
}

function toPart(item: DynamicToolCallResponse["contentItems"][number]): ToolPart {
  if (item.type === "inputText") return { type: "text", text: item.text };
  if (item.type === "inputImage") return { type: "image", url: item.imageUrl };
  throw new TypeError(`A tool cannot give back ${item.type}`);
}
